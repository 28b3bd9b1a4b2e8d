import about from '../../package.json'

/** The formula of Homebrew: archives by target with their SHA-256, below `url`. */
export function formula(url: string, version: string, sums: ReadonlyMap<string, string>): string {
  const source = (target: string) => {
    const name = `beckon-${version}-${target}.tar.gz`
    const sum = sums.get(name)
    if (!sum) throw new Error(`${name} is not in this release.`)
    return `      url "${url}/download/v${version}/${name}"
      sha256 "${sum}"`
  }
  return `class Beckon < Formula
  desc "Notifications, questions and scopes for coding agents, self-hosted"
  homepage "${url}"
  version "${version}"
  license "${about.license}"

  on_macos do
    on_arm do
${source('macos-arm64')}
    end
    on_intel do
${source('macos-x64')}
    end
  end
  on_linux do
    on_arm do
${source('linux-arm64')}
    end
    on_intel do
${source('linux-x64')}
    end
  end

  def install
    bin.install "beckon"
    man1.install "beckon.1"
    bash_completion.install "completions/beckon.bash" => "beckon"
    zsh_completion.install "completions/_beckon"
    fish_completion.install "completions/beckon.fish"
  end

  service do
    run [opt_bin/"beckon", "serve", "--data", var/"beckon"]
    keep_alive crashed: true
    log_path var/"log/beckon.log"
    error_log_path var/"log/beckon.log"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/beckon --version")
  end
end
`
}

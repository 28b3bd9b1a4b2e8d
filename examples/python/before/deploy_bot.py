import sys

from systems import deploy

deploy(sys.argv[1] if len(sys.argv) > 1 else "1.4.2")

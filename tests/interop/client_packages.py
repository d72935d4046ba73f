"""The client libraries of Node that the tests use, as the lock file beside this names them.

LaunchError says that npm could not install them.
"""

import filecmp
import pathlib
import shutil
import subprocess

from server_process import LaunchError

HERE = pathlib.Path(__file__).resolve().parent


def install_node_clients():
    """Installs the packages of the lock file, unless exactly these are there already."""
    lock, done = HERE / "package-lock.json", HERE / "node_modules/.installed-lock.json"
    if done.exists() and filecmp.cmp(lock, done, shallow=False):
        return
    print("Installing the client libraries of tests/interop/package-lock.json", flush=True)
    installed = subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"],
                               cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True)
    if installed.returncode != 0:
        raise LaunchError("npm could not install the client libraries:\n"
                          f"{installed.stdout[-2000:]}")
    shutil.copy(lock, done)

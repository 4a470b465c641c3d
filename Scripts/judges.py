"""Installs the programs that check Amber's output on first use: Debian's with apt-get, PyPI's below .build/judges.

As a program it installs the Debian packages of missing programs: judges.py PROGRAM=PACKAGE ... It starts no service.
"""
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
JUDGES = os.path.join(ROOT, ".build", "judges")
# Python compiles a module when it is first imported. Most modules never are, so uv compiles none.
COMPILED = {"PYTHONPYCACHEPREFIX": os.path.join(JUDGES, "compiled")}

# Prevents the start of services (invoke-rc.d(8)). An existing policy-rc.d is kept.
UNSTARTED = (
    'p=/usr/sbin/policy-rc.d; [ -e $p ] || { printf "#!/bin/sh\\nexit 101\\n" >$p; chmod 755 $p; trap "rm -f $p" EXIT; }; ')


def install(packages, starting=True):
    """Installs Debian packages if possible. Otherwise prints the command to run and exits.

    Without `starting`, Debian does not start their services.
    """
    command = f"{'' if starting else UNSTARTED}apt-get update && apt-get install -y --no-install-recommends {packages}"
    if not shutil.which("apt-get"):
        sys.exit(f"These programs are missing; install your system's packages of: {packages}")
    sudo = []
    if os.geteuid() != 0:
        sudo = ["sudo", "-n"]
        if not shutil.which("sudo") or subprocess.run([*sudo, "true"], stderr=subprocess.DEVNULL).returncode != 0:
            sys.exit(f"These programs are missing. Run this command, then make again:\n    sudo sh -c '{command}'")
    print(f"installing {packages}", flush=True)
    quietly = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    if subprocess.run([*sudo, "sh", "-c", command], env=quietly, stdout=subprocess.DEVNULL).returncode != 0:
        sys.exit(f"{packages} cannot be installed; see the messages of apt-get above.")


def install_missing(programs):
    """Installs the Debian packages of missing programs, given as {program: package}, and starts no service."""
    # Servers are in /usr/sbin, which a user's PATH may lack.
    os.environ["PATH"] = os.environ.get("PATH", os.defpath) + os.pathsep + "/usr/sbin"
    missing = [package for program, package in programs.items() if not shutil.which(program)]
    if missing:
        install(" ".join(missing), starting=False)


def uv():
    """Returns the path of uv. It installs packages much faster than pip."""
    folder = os.path.join(JUDGES, "uv")
    if not os.path.exists(os.path.join(folder, "bin", "uv")):
        if subprocess.run([sys.executable, "-c", "import ensurepip"], stderr=subprocess.DEVNULL).returncode != 0:
            install("python3-venv")
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([os.path.join(folder, "bin", "pip"), "--disable-pip-version-check", "--quiet", "install", "uv==0.13.9"], check=True)
    return os.path.join(folder, "bin", "uv")


def environment(packages, wanted, options=()):
    """Makes a Python environment with pinned packages on first use.

    Returns its folder. The file `wanted` of one of the packages is directly in the folder.
    """
    named = " ".join(packages)
    folder = os.path.join(JUDGES, "+".join(packages).replace("==", "-"))
    link = os.path.join(folder, wanted)
    if os.path.exists(link):
        return folder
    print(f"installing {named} into {os.path.relpath(folder, ROOT)}", flush=True)
    try:
        command = [uv(), "--no-config", "--quiet"]
        subprocess.run([*command, "venv", "--clear", "--python", sys.executable, folder], check=True)
        subprocess.run([*command, "pip", "install", "--python", os.path.join(folder, "bin", "python"), *options, *packages], check=True)
    except subprocess.CalledProcessError:
        sys.exit(f"{named} cannot be installed from PyPI; see the messages above.")
    for parent, _, files in os.walk(folder):
        if wanted in files:
            # The link is made last, so that a broken installation does not count as complete.
            os.symlink(os.path.join(parent, wanted), link)
            return folder
    sys.exit(f"{named} no longer contains {wanted}.")


if __name__ == "__main__":
    install_missing(dict(argument.split("=") for argument in sys.argv[1:]))

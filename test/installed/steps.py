"""What the installed package says, beside what is there.

usage: steps.py FOLDER RESULTS
FOLDER has gatehouse.deb and newer.deb, whose programs are stand-ins, and node, dist and newer, which these start.
"""

import os
import pwd
import re
import shutil
import subprocess

from story import FOLDER, Terminal, end, has, punches, run, runs, same, step, write

DATA = "/var/lib/gatehouse"
SITE = """\
products:
  - { product_id: FACE-T1, product_key: key-of-face-terminals-7, name: Face terminal, model: FT1, access: both }
devices: [{ device_id: FACE-T1_A0001, name: North gate }]
departments: [{ ext_id: d1, name: Assembly }]
employees: [{ ext_id: e1, name: Li Mei, employee_num: "1001", department: { ext_id: d1 } }]
"""
LATER = 'employees: [{ ext_id: e2, name: Wang Fang, employee_num: "1002", department: { ext_id: d1 } }]\n'
NEWER = "99.0.0"
PASSPHRASE = "correct horse battery staple"


def people():
    """The people that the box has, by its own export."""
    return re.findall(r"ext_id: (e\d)", run("gatehouse", "export", "--what", "site"))


def owned():
    """Files of the data directory that are not the service's."""
    owner = pwd.getpwnam("gatehouse").pw_uid
    paths = [os.path.join(folder, name) for folder, folders, names in os.walk(DATA) for name in folders + names]
    return same("files of others", [path for path in paths if os.lstat(path).st_uid != owner], []) or f"{len(paths)} files"


def install():
    shutil.copy(f"{FOLDER}/node", "/opt/node")
    os.chmod("/opt/node", 0o755)
    for folder in ("dist", "newer"):
        shutil.copytree(f"{FOLDER}/{folder}", f"/opt/{folder}")
    run("useradd", "--create-home", "op")
    run("dpkg", "-i", f"{FOLDER}/gatehouse.deb")
    return has(runs(), "running, version")


def refused_to_operator():
    for folder in ("/root", "/home/op"):
        os.chdir(folder)
        said = has(run("gatehouse", "status", user="op", status=1), DATA, "sudo")
        has(run("gatehouse", "doctor", user="op", status=1), "sudo")
    os.chdir("/root")
    return said


def apply():
    run("gatehouse", "apply", write("/root/site.yaml", SITE))
    return same("people", people(), ["e1"])


def check():
    os.makedirs("/root/other/gatehouse-data")
    os.chdir("/root/other")
    has(run("gatehouse", "status", status=1), "two boxes", DATA, "--data-dir")
    os.chdir("/root")
    doctor = subprocess.run(["gatehouse", "doctor"], capture_output=True, text=True)
    has(doctor.stdout, "certificate")
    return has(run("gatehouse", "check-config", "/etc/gatehouse/gatehouse.yaml"), "nothing wrong")


def backups():
    phrase = write("/root/phrase", PASSPHRASE + "\n")
    os.makedirs("/media/stick", exist_ok=True)
    sizes = {}
    for path in ["/tmp/x.gh", "/root/x.gh", "/media/stick/x.gh", "/home/op/x.gh"]:
        said = has(run("gatehouse", "backup", path, "--passphrase-file", phrase), re.escape(path), "encrypted")
        sizes[path] = os.path.getsize(path)
        has(run("gatehouse", "restore", path, "--check", "--passphrase-file", phrase), "whole")
    return {"said": said, "sizes": sizes}


def refused_backup():
    has(run("gatehouse", "backup", "/nowhere/x.gh", "--passphrase-file", "/root/phrase", status=1), "/nowhere")
    said = run("gatehouse", "backup", "/home/op/y.gh", user="op", status=1)
    same("a file that was refused", os.path.exists("/home/op/y.gh"), False)
    return said


def restore():
    run("gatehouse", "apply", write("/root/later.yaml", LATER))
    same("people", people(), ["e1", "e2"])
    running = run("gatehouse", "restore", "/tmp/x.gh", "--passphrase-file", "/root/phrase", "--yes", status=1)
    run("systemctl", "stop", "gatehouse")
    said = run("gatehouse", "restore", "/tmp/x.gh", "--passphrase-file", "/root/phrase", "--yes")
    files = owned()
    run("systemctl", "start", "gatehouse")
    runs()
    same("people", people(), ["e1"])
    return {"running": running, "said": said, "files": files}


def update():
    before = run("systemctl", "show", "-p", "MainPID", "gatehouse")
    run("dpkg", "-i", f"{FOLDER}/gatehouse.deb")
    runs()
    if run("systemctl", "show", "-p", "MainPID", "gatehouse") == before:
        raise AssertionError("the service was not restarted by the new package")
    return same("people", people(), ["e1"]) and owned()


def newer_under_load():
    terminal = Terminal(key="key-of-face-terminals-7")
    terminal.start()
    terminal.until_acknowledged(20)
    run("dpkg", "-i", f"{FOLDER}/newer.deb")
    during = len(terminal.acknowledged)
    has(runs(), f"version {re.escape(NEWER)}")
    terminal.until_acknowledged(20)
    terminal.ended.set()
    terminal.join(90)
    same("check-ins", punches(), sorted(terminal.acknowledged))
    has(run("gatehouse", "version"), re.escape(NEWER))
    same("people", people(), ["e1"])
    return {"acknowledged": len(terminal.acknowledged), "until installed": during, "tried again": terminal.refused,
            "files": owned()}


def reset():
    command = ["gatehouse", "reset", "--all", "--yes", "--passphrase-file", "/root/phrase", "--keep-backup"]
    refused = run(*command, "/nowhere/k.gh", status=1)
    runs()
    same("people after a reset that was refused", people(), ["e1"])
    said = run(*command, "/tmp/k.gh")
    has(run("gatehouse", "restore", "/tmp/k.gh", "--check", "--passphrase-file", "/root/phrase"), "whole")
    runs()
    same("people after the reset", people(), [])
    run("systemctl", "stop", "gatehouse")
    run("gatehouse", "restore", "/tmp/k.gh", "--passphrase-file", "/root/phrase", "--yes")
    run("systemctl", "start", "gatehouse")
    runs()
    same("people of the kept backup", people(), ["e1"])
    return {"refused": refused, "said": said, "files": owned()}


def ends():
    run("dpkg", "-P", "gatehouse")
    same("what a purge leaves", [path for path in (DATA, "/etc/gatehouse") if os.path.exists(path)], [])


step("the package is installed, and its service runs and answers root without naming the box", install)
step("an operator who may not read the box's data is told so", refused_to_operator)
step("check-config and doctor answer", check)
step("a site file is applied to the running service", apply)
step("a backup is where the command says, whatever the place, and is whole", backups)
step("a backup that cannot be written is refused, with the place", refused_backup)
step("a restore brings back what the backup held, and the service starts over it", restore)
step("the package installed again restarts the service, which keeps everything", update)
step("a newer package installed under load keeps all that was acknowledged, and goes on", newer_under_load)
step("a reset wipes nothing before its backup is whole, and everything after", reset)
step("a purge leaves nothing", ends)
end()

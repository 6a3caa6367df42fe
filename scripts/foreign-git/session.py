"""Git clients of other makes: dulwich, which is Python throughout, and pygit2, which is libgit2."""

import io
import os
import sys
import tempfile

import dulwich
import pygit2
from dulwich import porcelain
from dulwich.repo import Repo

failed = 0


def step(name, good, detail=""):
    global failed
    if not good:
        failed += 1
    print(("PASS " if good else "FAIL ") + name + ("" if good else ": " + str(detail)))


def commit_dulwich(path, name, content):
    with open(os.path.join(path, name), "w", encoding="utf-8") as file:
        file.write(content)
    porcelain.add(path, [os.path.join(path, name)])
    return porcelain.commit(path, b"Change " + name.encode(), author=b"A <a@b>", committer=b"A <a@b>")


def with_dulwich(url, place):
    what = "dulwich " + ".".join(map(str, dulwich.__version__))
    work = os.path.join(place, "dulwich")
    porcelain.init(work)
    first = commit_dulwich(work, "a.txt", "a\n")
    porcelain.push(work, url, b"HEAD:refs/heads/main")
    step(what + " pushes", porcelain.ls_remote(url).refs.get(b"refs/heads/main") == first)
    clone = os.path.join(place, "dulwich-clone")
    porcelain.clone(url, clone)
    step(what + " clones", Repo(clone).head() == first)
    second = commit_dulwich(work, "b.txt", "b\n")
    porcelain.push(work, url, b"HEAD:refs/heads/main")
    porcelain.fetch(clone, url)
    step(what + " fetches", second in Repo(clone).object_store)
    shallow = os.path.join(place, "dulwich-shallow")
    porcelain.clone(url, shallow, depth=1)
    step(what + " clones one commit", Repo(shallow).head() == second)
    words = io.BytesIO()
    porcelain.push(work, url, b"HEAD:refs/heads/main/below", errstream=words)
    step(what + " is told why a push is refused", b"cannot exist beside" in words.getvalue(), words.getvalue())


class Reasons(pygit2.RemoteCallbacks):
    def __init__(self):
        super().__init__()
        self.reasons = {}
        self.words = ""

    def push_update_reference(self, refname, message):
        if message is not None:
            self.reasons[refname] = message

    def sideband_progress(self, string):
        self.words += string


def with_libgit2(url, place):
    what = "libgit2 " + pygit2.LIBGIT2_VERSION
    work = pygit2.init_repository(os.path.join(place, "libgit2"), initial_head="main")
    who = pygit2.Signature("A", "a@b")

    def commit(name, content, parents):
        with open(os.path.join(work.workdir, name), "w", encoding="utf-8") as file:
            file.write(content)
        work.index.add(name)
        work.index.write()
        return work.create_commit("refs/heads/main", who, who, "Change " + name, work.index.write_tree(), parents)

    first = commit("a.txt", "a\n", [])
    remote = work.remotes.create("origin", url)
    remote.push(["refs/heads/main:refs/heads/main"])
    clone = pygit2.clone_repository(url, os.path.join(place, "libgit2-clone"))
    step(what + " pushes and clones", clone.head.target == first)
    second = commit("b.txt", "b\n", [first])
    remote.push(["refs/heads/main:refs/heads/main"])
    clone.remotes["origin"].fetch()
    step(what + " fetches", clone.lookup_reference("refs/remotes/origin/main").target == second)
    reasons = Reasons()
    try:
        remote.push(["refs/heads/main:refs/heads/main/below"], callbacks=reasons)
    except pygit2.GitError as refusal:
        reasons.words += str(refusal)
    told = reasons.reasons.get("refs/heads/main/below", "")
    step(what + " is told why, for each ref", "cannot exist beside" in told, reasons.reasons)
    step(what + " shows words for people", "cannot exist beside" in reasons.words, reasons.words)
    remote.push([":refs/heads/main"])
    step(what + " deletes a branch", not [ref for ref in remote.list_heads() if ref.name == "refs/heads/main"])


def main():
    base = sys.argv[1]
    with tempfile.TemporaryDirectory() as place:
        with_dulwich(base + "/dulwich.git", place)
        with_libgit2(base + "/libgit2.git", place)
    sys.exit(1 if failed else 0)


main()

// What a program does to files: written, changed, moved, removed, listed, and what goes wrong.
using System; using System.IO; using System.Linq; using System.Text;
static class App {
    static string Root;
    static void Try(string n, Func<object> f) { try { Console.WriteLine(n + ": " + f()); } catch (Exception e) { Console.WriteLine(n + ": " + e.GetType() + " " + e.Message.Replace(Root, "<root>")); } }
    static string List(string d = ".") => string.Join(" ", Directory.EnumerateFileSystemEntries(d, "*", SearchOption.AllDirectories).Select(p => p.Replace("./", "")).OrderBy(x => x, StringComparer.Ordinal));
    static void Main() {
    Root = Directory.GetCurrentDirectory();
    Try("write", () => { File.WriteAllText("a.txt", "hello\n"); return File.ReadAllText("a.txt").Trim() + new FileInfo("a.txt").Length; });
    Try("append", () => { File.AppendAllText("a.txt", "world"); return string.Join("|", File.ReadAllLines("a.txt")); });
    Try("overwrite", () => { File.WriteAllText("a.txt", "x"); return File.ReadAllText("a.txt"); });
    Try("existing", () => File.ReadAllText("kept.txt").Trim());
    Try("change existing", () => { using (var f = File.Open("kept.txt", FileMode.Open, FileAccess.ReadWrite)) { f.Seek(1, SeekOrigin.Begin); f.WriteByte((byte)'!'); } return File.ReadAllText("kept.txt").Trim(); });
    Try("mkdir", () => Directory.CreateDirectory("d/e/f").Name + Directory.Exists("d/e"));
    Try("mkdir again", () => Directory.CreateDirectory("d/e").Exists);
    Try("copy", () => { File.Copy("kept.txt", "d/copy.txt"); return File.ReadAllText("d/copy.txt").Trim(); });
    Try("copy again", () => { File.Copy("kept.txt", "d/copy.txt"); return ""; });
    Try("copy over", () => { File.Copy("a.txt", "d/copy.txt", true); return File.ReadAllText("d/copy.txt"); });
    Try("move", () => { File.Move("d/copy.txt", "d/e/moved.txt"); return File.Exists("d/copy.txt") + " " + File.Exists("d/e/moved.txt"); });
    Try("move over", () => { File.WriteAllText("d/o", "o"); File.Move("d/o", "d/e/moved.txt"); return ""; });
    Try("move over true", () => { File.Move("d/o", "d/e/moved.txt", true); return File.ReadAllText("d/e/moved.txt"); });
    Try("list", () => List());
    Try("rmdir full", () => { Directory.Delete("d"); return ""; });
    Try("movedir", () => { Directory.Move("d", "g"); return List(); });
    Try("movedir base", () => { Directory.Move("sub", "h"); return List() + File.ReadAllText("h/inner.txt").Trim(); });
    Try("delete missing", () => { File.Delete("nope"); return "fine"; });
    Try("delete dir missing", () => { Directory.Delete("nope"); return ""; });
    Try("delete", () => { File.Delete("kept.txt"); return File.Exists("kept.txt"); });
    Try("delete recursive", () => { Directory.Delete("g", true); return List(); });
    Try("stream", () => { using var f = new FileStream("s.bin", FileMode.CreateNew); f.Write(new byte[] { 1, 2, 3, 4, 5 }); f.Position = 2; f.WriteByte(9); f.SetLength(8); f.Flush(); f.Position = 0; var b = new byte[10]; int n = f.Read(b, 0, 10); return n + ":" + string.Join(",", b) + " " + f.Length; });
    Try("create new again", () => { using var f = new FileStream("s.bin", FileMode.CreateNew); return ""; });
    Try("writer", () => { using (var w = new StreamWriter("w.txt", false, Encoding.Unicode)) for (int i = 0; i < 3000; i++) w.WriteLine(i); return File.ReadLines("w.txt").Count() + " " + new FileInfo("w.txt").Length; });
    Try("truncate", () => { using (var f = File.Open("w.txt", FileMode.Truncate)) { } return new FileInfo("w.txt").Length; });
    Try("readonly stream", () => { using var f = File.OpenRead("w.txt"); f.WriteByte(1); return ""; });
    Try("share", () => { using var f = File.Open("w.txt", FileMode.Open, FileAccess.ReadWrite, FileShare.None); using var g = File.OpenRead("w.txt"); return ""; });
    Try("open deleted", () => { using var f = File.Open("del.txt", FileMode.Create); f.Write(Encoding.UTF8.GetBytes("data")); f.Flush(); File.Delete("del.txt"); f.Position = 0; return new StreamReader(f).ReadToEnd() + File.Exists("del.txt"); });
    Try("no folder", () => { File.WriteAllText("no/where.txt", ""); return ""; });
    Try("file as folder", () => { File.WriteAllText("a.txt/b", ""); return ""; });
    Try("folder as file", () => { File.WriteAllText("h", ""); return ""; });
    Try("mkdir over file", () => { Directory.CreateDirectory("a.txt"); return ""; });
    Try("times", () => { File.SetLastWriteTimeUtc("a.txt", new DateTime(2001, 2, 3, 4, 5, 6, DateTimeKind.Utc)); return File.GetLastWriteTimeUtc("a.txt").ToString("s"); });
    Try("attributes", () => { File.SetAttributes("a.txt", FileAttributes.ReadOnly); var r = File.GetAttributes("a.txt"); File.SetAttributes("a.txt", FileAttributes.Normal); return r + " " + File.GetAttributes("a.txt"); });
    Try("mode", () => { File.SetUnixFileMode("a.txt", UnixFileMode.UserRead | UnixFileMode.UserWrite); return File.GetUnixFileMode("a.txt"); });
    Try("link", () => { File.CreateSymbolicLink("ln", "a.txt"); return File.ReadAllText("ln") + new FileInfo("ln").LinkTarget; });
    Try("write link", () => { File.WriteAllText("ln", "through"); return File.ReadAllText("a.txt"); });
    Try("delete link", () => { File.Delete("ln"); return File.Exists("a.txt"); });
    Try("replace", () => { File.WriteAllText("r1", "1"); File.WriteAllText("r2", "2"); File.Replace("r1", "r2", "bak"); return File.ReadAllText("r2") + File.ReadAllText("bak") + File.Exists("r1"); });
    Try("final", () => List());
  }
}

using Cluster.Pile.Files;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>Files whose first write waits until the test lets it go on.</summary>
internal sealed class PausingFiles : IPileFiles
{
    private readonly Pause _pause = new();
    private int _writes;

    public PausingFiles(out Pause pause) => pause = _pause;

    public void CreateFolder(string folder) => DiskFiles.Instance.CreateFolder(folder);

    public string? FindRisk(string path) => DiskFiles.Instance.FindRisk(path);

    public void Protect(string path) => DiskFiles.Instance.Protect(path);

    public IReadOnlyList<string> List(string folder) => DiskFiles.Instance.List(folder);

    public IPileFile Create(string path) => new PausingFile(this, DiskFiles.Instance.Create(path));

    public IPileFile OpenRead(string path) => DiskFiles.Instance.OpenRead(path);

    public void Rename(string from, string to) => DiskFiles.Instance.Rename(from, to);

    public void Delete(string path) => DiskFiles.Instance.Delete(path);

    public IDisposable? TryHold(string path) => DiskFiles.Instance.TryHold(path);

    public void FlushFolder(string folder) => DiskFiles.Instance.FlushFolder(folder);

    /// <summary>Where the write waits.</summary>
    public sealed class Pause
    {
        private readonly TaskCompletionSource _reached = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private bool _continues;

        public Task Reached => _reached.Task;

        public void Continue() => Volatile.Write(ref _continues, true);

        public void Wait()
        {
            _reached.TrySetResult();
            var goesOn = SpinWait.SpinUntil(() => Volatile.Read(ref _continues), TimeSpan.FromSeconds(60));
            Assert.True(goesOn, "The test let the write go on.");
        }
    }

    private sealed class PausingFile(PausingFiles files, IPileFile file) : IPileFile
    {
        public long Length => file.Length;

        public void Write(long offset, ReadOnlySpan<byte> bytes)
        {
            if (Interlocked.Increment(ref files._writes) == 1)
                files._pause.Wait();
            file.Write(offset, bytes);
        }

        public int Read(long offset, Span<byte> bytes) => file.Read(offset, bytes);

        public void Flush() => file.Flush();

        public void Dispose() => file.Dispose();
    }
}

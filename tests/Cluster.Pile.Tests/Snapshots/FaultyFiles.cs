using Cluster.Pile.Files;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>How a device fails.</summary>
internal enum DeviceFault
{
    /// <summary>The call throws and nothing happened.</summary>
    Error,

    /// <summary>A write stops half way and throws; other calls do as above.</summary>
    FullHalfWay,

    /// <summary>A write stops half way and says nothing; other calls do as above.</summary>
    SilentlyShort,

    /// <summary>The call throws after it has done its work.</summary>
    ErrorAfter,
}

/// <summary>Files whose n-th access fails. Counts the accesses, so that a test can let each of them fail.</summary>
internal sealed class FaultyFiles(DeviceFault fault, int index) : IPileFiles
{
    private static readonly DiskFiles Disk = DiskFiles.Instance;

    public int Count { get; private set; }

    /// <summary>Whether the fault has come.</summary>
    public bool HasFailed => Count > index;

    public void CreateFolder(string folder) => Do(() => Disk.CreateFolder(folder));

    public string? FindRisk(string path)
    {
        string? risk = null;
        Do(() => risk = Disk.FindRisk(path));
        return risk;
    }

    public void Protect(string path) => Do(() => Disk.Protect(path));

    public IReadOnlyList<string> List(string folder)
    {
        IReadOnlyList<string> names = [];
        Do(() => names = Disk.List(folder));
        return names;
    }

    public IPileFile Create(string path) => Open(() => Disk.Create(path));

    public IPileFile OpenRead(string path) => Open(() => Disk.OpenRead(path));

    public void Rename(string from, string to) => Do(() => Disk.Rename(from, to));

    public void Delete(string path) => Do(() => Disk.Delete(path));

    // A fault after the work would leave the file held for ever.
    public IDisposable? TryHold(string path)
    {
        if (Count++ == index)
            throw new IOException("The device failed.");
        return Disk.TryHold(path);
    }

    public void FlushFolder(string folder) => Do(() => Disk.FlushFolder(folder));

    private FaultyFile Open(Func<IPileFile> open)
    {
        IPileFile? file = null;
        try
        {
            Do(() => file = open());
        }
        catch (IOException)
        {
            file?.Dispose();
            throw;
        }

        return new FaultyFile(this, file!);
    }

    private void Do(Action work)
    {
        if (Count++ != index)
        {
            work();
            return;
        }

        if (fault == DeviceFault.ErrorAfter)
            work();
        throw new IOException("The device failed.");
    }

    private void Write(IPileFile file, long offset, ReadOnlySpan<byte> bytes)
    {
        if (Count++ != index)
        {
            file.Write(offset, bytes);
            return;
        }

        if (fault != DeviceFault.Error)
            file.Write(offset, fault == DeviceFault.ErrorAfter ? bytes : bytes[..(bytes.Length / 2)]);
        if (fault != DeviceFault.SilentlyShort)
            throw new IOException("No space left on device.");
    }

    private int Read(IPileFile file, long offset, Span<byte> bytes)
    {
        if (Count++ == index)
            throw new IOException("The device failed.");
        return file.Read(offset, bytes);
    }

    private sealed class FaultyFile(FaultyFiles files, IPileFile file) : IPileFile
    {
        public long Length => file.Length;

        public void Write(long offset, ReadOnlySpan<byte> bytes) => files.Write(file, offset, bytes);

        public int Read(long offset, Span<byte> bytes) => files.Read(file, offset, bytes);

        public void Flush() => files.Do(file.Flush);

        public void Dispose() => file.Dispose();
    }
}

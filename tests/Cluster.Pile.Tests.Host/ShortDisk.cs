namespace Cluster.Pile.Tests.Host;

/// <summary>A disk that has room or none, as a test wants: either one that is small, of which a file of no use takes
/// the rest, or any, with the limit of the system on the size of a file. Used by one thread.</summary>
internal sealed class ShortDisk
{
    private const int FileSizeResource = 1;
    private const int FileSizeSignal = 25;
    private const nint IgnoreSignal = 1;

    private readonly string? _ballast;
    private readonly ulong _fileBytesMax;

    private ShortDisk(string? ballast, long fileBytesMax) => (_ballast, _fileBytesMax) = (ballast, (ulong)fileBytesMax);

    /// <summary>A file system of its own, small, on which the folder lies.</summary>
    public static ShortDisk Small(string folder) => new(Path.Join(folder, "ballast"), 0);

    /// <summary>Any, on which no file may grow beyond a number of bytes while there is no room.</summary>
    public static ShortDisk Limited(long fileBytesMax) => new(null, fileBytesMax);

    /// <summary>From here on there is no room.</summary>
    public void TakeRoom()
    {
        if (_ballast is null)
        {
            Limit(_fileBytesMax);
            return;
        }

        using var file = File.OpenHandle(_ballast, FileMode.Create, FileAccess.Write);
        var zeros = new byte[4096];
        try
        {
            for (long at = 0; ; at += zeros.Length)
                RandomAccess.Write(file, zeros, at);
        }
        catch (IOException)
        {
            // It is full now.
        }
    }

    /// <summary>And from here on there is again.</summary>
    public void GiveRoom()
    {
        if (_ballast is null)
            Limit(ulong.MaxValue);
        else
            File.Delete(_ballast);
    }

    // The signal that comes with the refusal would end the process.
    private static void Limit(ulong bytes)
    {
        SetSignal(FileSizeSignal, IgnoreSignal);
        if (GetLimit(FileSizeResource, out var limit) != 0)
            throw new InvalidOperationException("The system does not tell the limit on files.");
        limit.Current = Math.Min(bytes, limit.Highest);
        if (SetLimit(FileSizeResource, in limit) != 0)
            throw new InvalidOperationException("The system does not set the limit on files.");
    }

    [DllImport("libc", EntryPoint = "signal")]
    private static extern nint SetSignal(int signal, nint handler);

    [DllImport("libc", EntryPoint = "getrlimit")]
    private static extern int GetLimit(int resource, out FileLimit limit);

    [DllImport("libc", EntryPoint = "setrlimit")]
    private static extern int SetLimit(int resource, in FileLimit limit);

    [StructLayout(LayoutKind.Sequential)]
    private struct FileLimit
    {
        public ulong Current;
        public ulong Highest;
    }
}

using System.Buffers.Text;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Tests.Observation;

/// <summary>How long the threads that take part in a measurement were ready while others had the processors. Threads
/// add themselves; the list is replaced as a whole, so that any of them reads it.</summary>
internal sealed class RunDelays : IDisposable
{
    /// <summary>Where the system tells it of the thread that opens the file.</summary>
    public const string Path = "/proc/thread-self/schedstat";

    private const int LineBytesMax = 128;

    private SafeFileHandle[] _threads = [];

    public void AddThisThread()
    {
        var own = File.OpenHandle(Path);
        for (var seen = Volatile.Read(ref _threads); ;)
        {
            var found = Interlocked.CompareExchange(ref _threads, [.. seen, own], seen);
            if (ReferenceEquals(found, seen))
                return;
            seen = found;
        }
    }

    /// <summary>Nanoseconds of all of them since they began; one that waits for another one waits as long.</summary>
    public long Read()
    {
        long sum = 0;
        Span<byte> line = stackalloc byte[LineBytesMax];
        foreach (var thread in Volatile.Read(ref _threads))
        {
            // Nanoseconds on a processor, nanoseconds of waiting for one, and how often it got one.
            var told = line[..RandomAccess.Read(thread, line, 0)];
            told = told[(told.IndexOf((byte)' ') + 1)..];
            sum += Utf8Parser.TryParse(told, out long delayed, out _) ? delayed : 0;
        }

        return sum;
    }

    public void Dispose()
    {
        foreach (var thread in _threads)
            thread.Dispose();
    }
}

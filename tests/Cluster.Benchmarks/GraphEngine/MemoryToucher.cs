using Cluster.Pile.Memory;

namespace Cluster.Benchmarks.GraphEngine;

/// <summary>A process that makes so much memory resident, in huge pages where there are any, and ends: what runs next
/// finds pages that the host has backed, which otherwise costs more than any test. Stateless.</summary>
public static class MemoryToucher
{
    /// <summary>The argument that starts this instead of a benchmark; the number of bytes follows.</summary>
    public const string Argument = "--touch-memory";

    private const long BlockBytes = 64L << 20;

    /// <summary>Runs the process.</summary>
    public static int Run(string count, TextWriter output)
    {
        var bytes = long.Parse(count, CultureInfo.InvariantCulture) / BlockBytes * BlockBytes;
        var source = NativeMemorySource.ForThisSystem;
        var address = source.Reserve(bytes + BlockBytes);
        source.TryCommit(address, bytes + BlockBytes);
        source.AdviseHugePages(address, bytes + BlockBytes);
        for (var done = 0L; done <= bytes; done += BlockBytes)
            source.TryPopulate(address + (nint)done, BlockBytes);
        output.WriteLine(bytes);
        return 0;
    }
}

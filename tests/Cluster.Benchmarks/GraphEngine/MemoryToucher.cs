using System.Globalization;
using System.Runtime.InteropServices;

namespace Cluster.Benchmarks.GraphEngine;

/// <summary>
/// A process that writes to every page of so much memory and ends: what runs next finds pages that the host has backed,
/// which otherwise costs more than any test. Stateless.
/// </summary>
public static unsafe class MemoryToucher
{
    /// <summary>The argument that starts this instead of a benchmark; the number of bytes follows.</summary>
    public const string Argument = "--touch-memory";

    private const long BlockBytes = 64L << 20;

    /// <summary>Runs the process.</summary>
    public static int Run(string count, TextWriter output)
    {
        var bytes = long.Parse(count, CultureInfo.InvariantCulture);
        for (var done = 0L; done < bytes; done += BlockBytes)
        {
            // Not freed: the end of the process does it, and freed blocks would be handed out again.
            var block = (byte*)NativeMemory.Alloc((nuint)BlockBytes);
            for (var offset = 0L; offset < BlockBytes; offset += Environment.SystemPageSize)
                block[offset] = 1;
        }

        output.WriteLine(bytes);
        return 0;
    }
}

using System.Buffers.Text;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Tests.Observation;

/// <summary>How long the host of a virtual machine had its processors. Any thread.</summary>
internal sealed class StolenTime : IDisposable
{
    // Of the line of all processors, which is the first one: the name, then user, nice, system, idle, iowait, irq,
    // softirq, steal.
    private const int StealField = 8;
    private const int LineBytesMax = 256;

    // The unit of this file on Linux, whatever the clock of the kernel.
    private const long NanosecondsPerTick = 10_000_000;

    private readonly SafeFileHandle _system = File.OpenHandle("/proc/stat");

    /// <summary>Nanoseconds of all processors since the system began, in steps of 10 ms.</summary>
    public long Read()
    {
        Span<byte> line = stackalloc byte[LineBytesMax];
        var told = line[..RandomAccess.Read(_system, line, 0)];
        var field = 0;
        foreach (var part in told.Split((byte)' '))
        {
            // Two spaces follow the name.
            if (part.End.Value > part.Start.Value && field++ == StealField)
                return Utf8Parser.TryParse(told[part], out long ticks, out _) ? ticks * NanosecondsPerTick : 0;
        }

        return 0;
    }

    public void Dispose() => _system.Dispose();
}

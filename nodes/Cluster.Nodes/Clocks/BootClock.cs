namespace Cluster.Nodes.Clocks;

/// <summary>The time since the machine was started, with the time for which it was suspended, in units of 100 ns. No
/// other file asks the operating system for a clock. Stateless: the source is chosen once.</summary>
internal static class BootClock
{
    private const int LinuxClockBootTime = 7;
    private const long NanosecondsPerTick = 100;

    private static readonly Func<long>? Source = FindSource();
    private static readonly double TicksPerStamp =
        TimeSpan.TicksPerSecond / (double)TimeProvider.System.TimestampFrequency;

    /// <summary>Whether the clock counts the time for which the machine is suspended. Where the operating system has no
    /// such clock, it does not.</summary>
    public static bool CountsSuspension => Source is not null;

    /// <summary>Returns the time.</summary>
    public static long Read() => Source is { } source ? source() : ReadBase();

    private static long ReadBase() => (long)(TimeProvider.System.GetTimestamp() * TicksPerStamp);

    // A sandbox or an old system may know the call and refuse the clock.
    private static Func<long>? FindSource()
    {
        try
        {
            Func<long>? source = null;
            if (OperatingSystem.IsLinux())
                source = ReadLinux;
            else if (OperatingSystem.IsWindows())
                source = ReadWindows;
            else if (OperatingSystem.IsMacOS())
                source = ReadMacOs;
            return source is not null && source() > 0 ? source : null;
        }
        catch (Exception missing) when (missing is DllNotFoundException or EntryPointNotFoundException)
        {
            return null;
        }
    }

    private static long ReadLinux() => ClockGetTime(LinuxClockBootTime, out var time) == 0
        ? (time.Seconds * TimeSpan.TicksPerSecond) + (time.Nanoseconds / NanosecondsPerTick)
        : 0;

    private static long ReadWindows()
    {
        QueryInterruptTime(out var ticks);
        return (long)ticks;
    }

    private static long ReadMacOs()
    {
        var nanoseconds = (UInt128)MachContinuousTime() * Timebase.Value.Numerator / Timebase.Value.Denominator;
        return (long)(nanoseconds / (ulong)NanosecondsPerTick);
    }

    [DllImport("libc", EntryPoint = "clock_gettime")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int ClockGetTime(int clock, out TimeSpec time);

    [DllImport("kernelbase", EntryPoint = "QueryInterruptTime")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static extern void QueryInterruptTime(out ulong ticks);

    [DllImport("libSystem.dylib", EntryPoint = "mach_continuous_time")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern ulong MachContinuousTime();

    [DllImport("libSystem.dylib", EntryPoint = "mach_timebase_info")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int MachTimebaseInfo(out TimebaseRatio ratio);

    /// <summary>The layout of <c>timespec</c>: both fields have the width of a machine word.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private readonly struct TimeSpec
    {
        public readonly nint Seconds;
        public readonly nint Nanoseconds;
    }

    /// <summary>By what a count of the macOS clock is multiplied and divided to get nanoseconds.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private readonly struct TimebaseRatio
    {
        public readonly uint Numerator;
        public readonly uint Denominator;
    }

    /// <summary>The ratio of this machine, which is asked for on macOS alone.</summary>
    private static class Timebase
    {
        public static readonly TimebaseRatio Value = Read();

        private static TimebaseRatio Read() => MachTimebaseInfo(out var ratio) == 0 ? ratio : default;
    }
}

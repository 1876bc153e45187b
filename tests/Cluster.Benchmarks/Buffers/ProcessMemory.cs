namespace Cluster.Benchmarks.Buffers;

/// <summary>What Linux says about the memory of this process. Stateless.</summary>
internal static class ProcessMemory
{
    // From sys/resource.h: four words of time, then maxrss, ixrss, idrss, isrss and minflt, in 18 words.
    private const int ThisThread = 1;
    private const int Words = 18;
    private const int MinorFaultsWord = 8;

    /// <summary>Pages of this process that lie in memory.</summary>
    public static long ResidentBytes() =>
        long.Parse(File.ReadAllText("/proc/self/statm").Split(' ')[1], CultureInfo.InvariantCulture)
            * Environment.SystemPageSize;

    /// <summary>How often this thread met a page that was not there yet.</summary>
    public static long PageFaultsOfThisThread()
    {
        var usage = new long[Words];
        return GetUsage(ThisThread, usage) == 0
            ? usage[MinorFaultsWord]
            : throw new InvalidOperationException($"getrusage failed: {Marshal.GetLastPInvokeError()}.");
    }

    [DllImport("libc", EntryPoint = "getrusage", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int GetUsage(int who, [Out] long[] usage);
}

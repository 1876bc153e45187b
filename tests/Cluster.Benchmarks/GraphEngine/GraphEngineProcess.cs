using Cluster.Testing.GraphEngine;

namespace Cluster.Benchmarks.GraphEngine;

/// <summary>Runs the sides of the Graph Engine test, each in a process of its own: its resident memory is then what the
/// test costs. When a side is ready, another process touches as much memory and ends, so that every side finds pages
/// that the host has backed. Stateless.</summary>
public static class GraphEngineProcess
{
    private const int ProgramBytes = 64 << 20;

    // More than a test needs, because the host takes free pages back before the next process has them.
    private const int TouchedFactor = 2;
    private const long TouchedBytesMax = 4L << 30;

    /// <summary>The line by which a side says that it waits for one to begin.</summary>
    public const string Ready = "ready";

    /// <summary>Runs our side.</summary>
    public static GraphEngineResult RunOurs(long iterations) =>
        Run(Ourselves(GraphEngineSide.Argument, iterations), iterations);

    /// <summary>Runs the C++ side.</summary>
    /// <param name="rival">The compiled program.</param>
    /// <param name="iterations">How many cells to save.</param>
    /// <param name="reserves">Whether the map gets its final size at once.</param>
    public static GraphEngineResult Run(CppRival rival, long iterations, bool reserves)
    {
        var start = new ProcessStartInfo(rival.ProgramPath);
        start.ArgumentList.Add(iterations.ToString(CultureInfo.InvariantCulture));
        start.ArgumentList.Add((reserves ? LiveOf(iterations) : 0).ToString(CultureInfo.InvariantCulture));
        return Run(start, iterations);
    }

    /// <summary>The memory that the larger side needs.</summary>
    public static long PeakBytes(long iterations) =>
        ProgramBytes + (LiveOf(iterations) * (CellSequence.CellBytes + 90L));

    /// <summary>How many of the cells are alive at the end: two of three, less those whose id came again.</summary>
    public static long LiveOf(long iterations) => iterations * 2 / 3;

    private static GraphEngineResult Run(ProcessStartInfo start, long iterations)
    {
        var peak = PeakBytes(iterations);
        var touched = Math.Max(peak, Math.Min(peak * TouchedFactor, TouchedBytesMax));
        return GraphEngineResult.Parse(Run(start, line =>
        {
            if (line == Ready)
                Run(Ourselves(MemoryToucher.Argument, touched), _ => { });
        }));
    }

    private static ProcessStartInfo Ourselves(string side, long number)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!);
        if (Path.GetFileNameWithoutExtension(start.FileName) == "dotnet")
            start.ArgumentList.Add(typeof(GraphEngineProcess).Assembly.Location);
        start.ArgumentList.Add(side);
        start.ArgumentList.Add(number.ToString(CultureInfo.InvariantCulture));
        return start;
    }

    // Gives the last line. The process waits for one to go on after the first.
    private static string Run(ProcessStartInfo start, Action<string> onFirstLine)
    {
        start.RedirectStandardInput = true;
        start.RedirectStandardOutput = true;
        using var process = Process.Start(start)!;
        var first = process.StandardOutput.ReadLine() ?? "";
        onFirstLine(first);
        process.StandardInput.Close();
        var last = process.StandardOutput.ReadToEnd().Trim();
        process.WaitForExit();
        return process.ExitCode == 0
            ? last
            : throw new InvalidOperationException($"{start.FileName} ended with {process.ExitCode}: {first} {last}");
    }
}

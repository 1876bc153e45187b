using Cluster.Benchmarks.Harness;
using Cluster.Testing.GraphEngine;

namespace Cluster.Benchmarks.GraphEngine;

/// <summary>The command <c>graph-engine [--scale 8] [--rounds 3]</c>: the Graph Engine test as anyone can run it. Ours,
/// a C++ map and a C++ map of reserved size take turns on the same cells, each in a fresh process on warm pages; prints
/// every run and the medians. Stateless.</summary>
public static class GraphEngineProgram
{
    /// <summary>The word on the command line.</summary>
    public const string Command = "graph-engine";

    /// <summary>The iterations of the published test.</summary>
    public const long IterationsFull = 67_108_864;

    /// <summary>The cells that are alive at the end of the published test.</summary>
    public const long LiveFull = 44_220_246;

    private const string Usage = $"usage: {Command} [--scale N] [--rounds N]; scale 8 takes an eighth";
    private const double Gibibyte = 1L << 30;

    /// <summary>Runs the test.</summary>
    /// <param name="arguments">What follows the command.</param>
    /// <param name="output">Gets the figures.</param>
    /// <returns>0 when all sides hold the same cells, 1 when they do not, 2 for a wrong command line.</returns>
    public static int Run(ReadOnlySpan<string> arguments, TextWriter output)
    {
        var (scale, rounds) = (1, 0);
        for (; arguments.Length >= 2 && TryParse(arguments[1], out var number); arguments = arguments[2..])
        {
            if (arguments[0] == "--scale")
                scale = number;
            else if (arguments[0] == "--rounds")
                rounds = number;
            else
                break;
        }

        if (arguments.Length > 0)
        {
            output.WriteLine(Usage);
            return 2;
        }

        return Run(IterationsFull / scale, rounds > 0 ? rounds : scale == 1 ? 1 : 3, output);
    }

    /// <summary>Says whether all sides hold the same cells, by how many there are and the checksum over them.</summary>
    /// <param name="results">Of all rounds of all sides.</param>
    /// <param name="output">Gets the answer.</param>
    /// <returns>0 when they do, 1 when they do not.</returns>
    public static int Judge(IReadOnlyList<GraphEngineResult> results, TextWriter output)
    {
        var isSame = results.All(results[0].HoldsTheSameAs);
        output.WriteLine(isSame ? "All sides hold the same cells." : "The sides hold DIFFERENT cells.");
        return isSame ? 0 : 1;
    }

    private static int Run(long iterations, int rounds, TextWriter output)
    {
        using var rival = CppRival.TryCompile(out var reason);
        if (rival is null)
            output.WriteLine($"Skipped: the C++ sides cannot be compiled. {reason}");
        output.WriteLine($"{iterations:N0} iterations, cells of {CellSequence.CellBytes} bytes, {rounds} rounds");
        var sides = new (string Name, Func<GraphEngineResult> Run)[]
        {
            ("CellTable", () => GraphEngineProcess.RunOurs(iterations)),
            ("C++ map", () => GraphEngineProcess.Run(rival!, iterations, reserves: false)),
            ("C++ map, reserved", () => GraphEngineProcess.Run(rival!, iterations, reserves: true)),
        }[..(rival is null ? 1 : 3)];
        var results = sides.Select(_ => new List<GraphEngineResult>()).ToArray();
        for (var round = 0; round < rounds; round++)
        {
            for (var index = 0; index < sides.Length; index++)
            {
                var result = sides[index].Run();
                results[index].Add(result);
                output.WriteLine(string.Create(
                    CultureInfo.InvariantCulture,
                    $"{sides[index].Name,-18} {result.Seconds,8:F2} s  {result.ResidentBytes / Gibibyte,7:F3} GiB  "
                    + $"{result.OverheadPerCell,6:F1} B/cell  {result.Live:N0} cells  {result.Checksum:x16}"));
                output.Flush();
            }
        }

        PrintMedians([.. sides.Select(side => side.Name)], results, output);
        return Judge([.. results.SelectMany(side => side)], output);
    }

    private static void PrintMedians(string[] names, List<GraphEngineResult>[] results, TextWriter output)
    {
        var ours = Race.Median([.. results[0].Select(result => result.Seconds)]);
        foreach (var (name, side) in names.Zip(results))
        {
            var seconds = Race.Median([.. side.Select(result => result.Seconds)]);
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"median {name,-18} {seconds,8:F2} s, {seconds / ours:F2} times ours; "
                + $"resident {side[0].ResidentBytes / Gibibyte:F3} GiB"));
        }
    }

    private static bool TryParse(string text, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && number > 0;
}

namespace Cluster.Benchmarks.Harness;

/// <summary>One run of one area: mode, sizes, what is left of the time, and the place to report. A private lock
/// protects the set of reported rows, because the watchdog closes the run while the area may still be
/// measuring.</summary>
public sealed class BenchmarkRun
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, BenchmarkRow> _rows;
    private readonly HashSet<string> _wanted;
    private readonly HashSet<string> _reported = [];
    private readonly TextWriter _output;
    private readonly TimeSpan _budget;
    private readonly long _started = Stopwatch.GetTimestamp();
    private bool _isClosed;

    /// <summary>Starts a run.</summary>
    /// <param name="rows">The area's rows.</param>
    /// <param name="mode">Quick or full.</param>
    /// <param name="budget">How long the area may take.</param>
    /// <param name="output">Gets the JSON lines.</param>
    /// <param name="wanted">The rows to be printed; all when there is none.</param>
    public BenchmarkRun(
        IEnumerable<BenchmarkRow> rows,
        BenchmarkMode mode,
        TimeSpan budget,
        TextWriter output,
        params IEnumerable<string> wanted)
    {
        _rows = rows.ToDictionary(row => row.Name);
        _wanted = [.. wanted];
        if (_wanted.Count == 0)
            _wanted.UnionWith(_rows.Keys);
        Mode = mode;
        _budget = budget;
        _output = output;
    }

    /// <summary>Quick or full.</summary>
    public BenchmarkMode Mode { get; }

    /// <summary>Whether this is a quick run.</summary>
    public bool IsQuick => Mode == BenchmarkMode.Quick;

    /// <summary>What is left of the area's time; never negative.</summary>
    public TimeSpan Remaining
    {
        get
        {
            var left = _budget - Stopwatch.GetElapsedTime(_started);
            return left > TimeSpan.Zero ? left : TimeSpan.Zero;
        }
    }

    /// <summary>Whether any of these rows is to be printed. An area asks before it measures them; what it reports all
    /// the same is dropped.</summary>
    /// <param name="rows">Rows that are measured together.</param>
    public bool Wants(params ReadOnlySpan<string> rows)
    {
        foreach (var row in rows)
        {
            if (_wanted.Contains(row))
                return true;
        }

        return false;
    }

    /// <summary>The size at which this mode measures a row.</summary>
    /// <param name="row">The row's name.</param>
    public long Size(string row) => IsQuick ? _rows[row].QuickSize : _rows[row].FullSize;

    /// <summary>The row's share of the budget, if all rows took the same: a good budget for one race. The share is
    /// smaller when warm-ups have used time that the remaining rows need.</summary>
    /// <param name="parts">How many rows one race serves.</param>
    public TimeSpan Share(int parts = 1)
    {
        int missing;
        lock (_lock)
            missing = _wanted.Count - _reported.Count;
        var equal = _budget * 0.8 / Math.Max(1, _rows.Count);
        var left = Remaining * 0.7 / Math.Max(1, missing);
        return parts * (left < equal ? left : equal);
    }

    /// <summary>Prints a row's figure.</summary>
    /// <param name="row">The row's name in the table.</param>
    /// <param name="value">The value, in the row's unit.</param>
    /// <param name="size">The size it was measured at, when that is not the table's for this mode.</param>
    public void Report(string row, double value, long? size = null)
    {
        if (!Wants(row))
            return;
        var known = _rows[row];
        // Measured beside the figure, not once per run: the machine's speed drifts by a factor of two within minutes.
        Print(known, Figure.Measured(known, value, size ?? Size(row), known.MeasureScale()));
    }

    /// <summary>Prints an absolute figure from rounds that know the machine's scale beside each of them.</summary>
    /// <param name="row">The row's name in the table.</param>
    /// <param name="rounds">The rounds, in the row's unit.</param>
    public void Report(string row, ScaledRounds rounds)
    {
        ArgumentNullException.ThrowIfNull(rounds);
        if (!Wants(row))
            return;
        Print(_rows[row], Figure.Measured(_rows[row], rounds.Value, Size(row), rounds.Scale));
    }

    /// <summary>Ends the run: every row not reported is printed as left out, and later reports are ignored.</summary>
    /// <returns>How many rows were left out.</returns>
    public int Close()
    {
        BenchmarkRow[] leftOut;
        lock (_lock)
            leftOut = [.. _rows.Values.Where(row => Wants(row.Name) && !_reported.Contains(row.Name))];

        foreach (var row in leftOut)
            Print(row, Figure.LeftOut(row));

        lock (_lock)
            _isClosed = true;

        return leftOut.Length;
    }

    private void Print(BenchmarkRow row, Figure figure)
    {
        lock (_lock)
        {
            if (_isClosed || !_reported.Add(row.Name))
                return;

            _output.WriteLine(figure.ToJson());
            _output.Flush();
        }
    }
}

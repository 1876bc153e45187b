namespace Cluster.Testing.Simulation;

/// <summary>The readable lines of one simulated run, for debugging a seed. Off unless a test switches it on, because
/// lines cost far more than events. Used by one thread.</summary>
public sealed class SimulationTrace
{
    /// <summary>The maximum number of kept lines; older lines are dropped.</summary>
    public const int LineCountMax = 200_000;

    private readonly Queue<string> _lines = new();

    /// <summary>Whether lines are kept. A caller asks before it makes the text of a line.</summary>
    public bool IsOn { get; set; }

    /// <summary>The lines, the oldest first.</summary>
    public IReadOnlyCollection<string> Lines => _lines;

    /// <summary>Adds a line, if the trace is on.</summary>
    /// <param name="now">The true time.</param>
    /// <param name="subject">The node, client or part of the run that the line is about.</param>
    /// <param name="text">What happened.</param>
    public void Write(TimeSpan now, string subject, string text)
    {
        if (!IsOn)
            return;
        if (_lines.Count == LineCountMax)
            _lines.Dequeue();
        _lines.Enqueue(string.Create(CultureInfo.InvariantCulture, $"{now.TotalSeconds,11:F6} {subject,-8} {text}"));
    }
}

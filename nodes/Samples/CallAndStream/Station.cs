namespace CallAndStream;

/// <summary>One stop of a line, with references to its neighbours. It needs no attributes.</summary>
/// <param name="name">The town.</param>
public sealed class Station(string name)
{
    /// <summary>The town.</summary>
    public string Name { get; } = name;

    /// <summary>The stop before; null at the first one.</summary>
    public Station? Previous { get; private set; }

    /// <summary>The stop after; null at the last one.</summary>
    public Station? Next { get; private set; }

    /// <summary>Appends a stop.</summary>
    /// <param name="next">The stop after this one.</param>
    /// <returns>That stop.</returns>
    public Station Append(Station next)
    {
        ArgumentNullException.ThrowIfNull(next);
        (Next, next.Previous) = (next, this);
        return next;
    }
}

namespace Cluster.SystemTests.Proxies;

/// <summary>One object of a graph with cycles.</summary>
public sealed class Station
{
    /// <summary>Its number.</summary>
    public int Number { get; set; }

    /// <summary>The one behind it; the last one leads to the first.</summary>
    public Station? Next { get; set; }

    /// <summary>Something to carry.</summary>
    public byte[] Load { get; set; } = [];

    /// <summary>Makes a ring.</summary>
    /// <param name="count">Of stations.</param>
    /// <param name="loadBytes">Of each.</param>
    public static Station RingOf(int count, int loadBytes)
    {
        Station[] all = [.. Enumerable.Range(0, count).Select(number => new Station
        {
            Number = number, Load = [.. Enumerable.Repeat((byte)number, loadBytes)],
        })];
        for (var i = 0; i < count; i++)
            all[i].Next = all[(i + 1) % count];
        return all[0];
    }
}

namespace Cluster.SystemTests.Proxies;

/// <summary>One object of a graph with cycles.</summary>
public sealed class Station
{
    /// <summary>The number of the station.</summary>
    public int Number { get; set; }

    /// <summary>The next station; the last one leads to the first.</summary>
    public Station? Next { get; set; }

    /// <summary>Bytes that make the station larger.</summary>
    public byte[] Load { get; set; } = [];

    /// <summary>Makes a ring.</summary>
    /// <param name="count">The number of stations.</param>
    /// <param name="loadBytes">The load of each station, in bytes.</param>
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

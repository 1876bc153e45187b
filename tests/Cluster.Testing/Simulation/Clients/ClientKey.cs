namespace Cluster.Testing.Simulation.Clients;

/// <summary>What the clients do with a key. A key has one use in a whole run, so that each history can be
/// judged.</summary>
public enum KeyUse
{
    /// <summary>A number: every action but appends.</summary>
    Number,

    /// <summary>A number that is only incremented and read.</summary>
    Counter,

    /// <summary>A list: appends and reads.</summary>
    List,

    /// <summary>A number whose entries have a time to live.</summary>
    Expiring,
}

/// <summary>One key of a simulated run. Immutable.</summary>
/// <param name="Name">The key.</param>
/// <param name="Partition">The index of its partition.</param>
/// <param name="Use">What the clients do with it.</param>
public sealed record ClientKey(string Name, int Partition, KeyUse Use)
{
    /// <inheritdoc />
    public override string ToString() => $"{Name} ({Use}, partition {Partition})";
}

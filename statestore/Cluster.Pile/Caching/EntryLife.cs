namespace Cluster.Pile.Caching;

/// <summary>The expiry of an entry as its record stores it. An immutable value.</summary>
/// <remarks>Bit 0 of a deadline says how it can be renewed. Even: the entry has only a maximal age, which is the time
/// from its put to its deadline. Odd: the last eight bytes of its value are its bounds.</remarks>
/// <param name="IsTimed">Whether the record has times.</param>
/// <param name="Deadline">The step from which on it has expired; zero for none.</param>
/// <param name="Bounds">The bounds of its renewal, where the deadline alone does not define them.</param>
internal readonly record struct EntryLife(bool IsTimed, uint Deadline, EntryBounds? Bounds)
{
    /// <summary>Whether the value of a record with this deadline ends with bounds.</summary>
    public static bool HasBounds(uint deadline) => (deadline & 1) != 0;
}

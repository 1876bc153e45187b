namespace Cluster.Pile.Caching;

/// <summary>How long an entry lives, as its record says it. An immutable value.</summary>
/// <remarks>Bit 0 of a deadline says how it can be renewed. Even: the entry has a maximal age and nothing else, which
/// is the time from its put to its deadline. Odd: the last eight bytes of its value are its bounds.</remarks>
/// <param name="IsTimed">Whether the record has times.</param>
/// <param name="Deadline">The step from which on it is gone; zero for none.</param>
/// <param name="Bounds">What renews it, where its deadline does not say that itself.</param>
internal readonly record struct EntryLife(bool IsTimed, uint Deadline, EntryBounds? Bounds)
{
    /// <summary>Whether the value of a record with this deadline ends with bounds.</summary>
    public static bool HasBounds(uint deadline) => (deadline & 1) != 0;
}

namespace Cluster.Pile.Cells;

/// <summary>Several cells in the hands of one thread, in the order in which their ids were given. Disposing it stores
/// every changed cell, each in one step, and gives all of them free. An immutable value, <c>default</c> has no
/// cells.</summary>
public readonly ref struct CellAccessors : IDisposable
{
    private readonly CellLock[]? _locks;
    private readonly long[]? _owners;

    internal CellAccessors(CellLock[] cellLocks, long[] owners)
    {
        _locks = cellLocks;
        _owners = owners;
    }

    /// <summary>How many ids were given.</summary>
    public int Count => _locks?.Length ?? 0;

    /// <summary>The cell of an id, by the place of the id; disposing it does nothing, these here own it.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such place.</exception>
    public CellAccessor this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfNegative(index);
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, Count);
            return new CellAccessor(_locks![index], _owners![index], isBorrowed: true);
        }
    }

    /// <summary>Stores what was changed and gives the cells free.</summary>
    /// <exception cref="PileFullException">The budget does not hold all of it; cells that were not stored are as they
    /// were, and all are free.</exception>
    public void Dispose()
    {
        if (_locks is { Length: > 0 })
            _locks[0].Table.Close(_locks, _owners!);
    }
}

namespace Cluster.Pile.Cells;

/// <summary>Gives one thread several cells, in the order in which their ids were given. Disposing it stores every
/// changed cell, each in one step, and releases all of them. An immutable value; <c>default</c> has no cells.</summary>
public readonly ref struct CellAccessors : IDisposable
{
    private readonly CellLock[]? _locks;
    private readonly long[]? _owners;

    internal CellAccessors(CellLock[] cellLocks, long[] owners)
    {
        _locks = cellLocks;
        _owners = owners;
    }

    /// <summary>The number of ids that were given.</summary>
    public int Count => _locks?.Length ?? 0;

    /// <summary>The accessor of the cell whose id was given at this index. Disposing that accessor does nothing;
    /// dispose this object.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The index is not below <see cref="Count"/>.</exception>
    public CellAccessor this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfNegative(index);
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, Count);
            return new CellAccessor(_locks![index], _owners![index], isBorrowed: true);
        }
    }

    /// <summary>Stores the changes and releases the cells.</summary>
    /// <exception cref="PileFullException">The budget does not hold all cells. A cell that was not stored is unchanged;
    /// all cells are released.</exception>
    public void Dispose()
    {
        if (_locks is { Length: > 0 })
            _locks[0].Table.Close(_locks, _owners!);
    }
}

namespace Cluster.Testing.GraphEngine;

/// <summary>The iterations of the Graph Engine test, the same as those of <c>unordered_map.cpp</c>. Ids have 32 random
/// bits, so some cells are saved again; one of three cells is removed. Mutable, owned by the loop that declares
/// it.</summary>
public struct CellSequence
{
    /// <summary>The size of every cell.</summary>
    public const int CellBytes = 314;

    private ulong _state;

    private CellSequence(ulong state) => _state = state;

    /// <summary>Starts the sequence from its beginning.</summary>
    public static CellSequence Start() => new(0x5EED5EED5EED5EED);

    /// <summary>Returns the next iteration.</summary>
    public CellStep Next()
    {
        _state += 0x9E3779B97F4A7C15;
        var mixed = (_state ^ (_state >> 30)) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
        mixed ^= mixed >> 31;
        return new CellStep(
            (long)(mixed & uint.MaxValue), (ushort)(mixed >> 32), (byte)(mixed >> 48), (mixed >> 56) % 3 == 0);
    }
}

namespace Cluster.Pile.Tests.Litmus;

/// <summary>Every way in which changes can come in between the accesses of one read: each change, or pair of changes,
/// at each access. All on one thread, so each run is the same. Owned by one scenario.</summary>
/// <param name="problemsMax">The search ends after this number of problems.</param>
internal sealed class ReadInterleavings(int problemsMax)
{
    private const int BufferBytes = 64 * 1024;

    // A walk over the pile makes thousands of accesses and is past the victim after these.
    private const int PlacesMax = 40;
    private const int PlacesMaxOfPairs = 14;
    private const int AccessesMax = 1_000_000;

    /// <summary>Sizes at first and after growing: in its slot, almost too long for optimism, behind a link.</summary>
    private static readonly (int Size, int Grown)[] Shapes =
        [(Victim.SizeMin, 0), (200, 0), (3000, 0), (16_000, 0), (40, 500), (40, 3000), (300, 12_000)];

    private static readonly (string Name, Action<Victim>[] Steps)[] Changes =
    [
        ("update", [victim => victim.Update(victim.CurrentSize)]),
        ("shrink", [victim => victim.Update(Victim.SizeMin)]),
        ("grow", [victim => victim.Update(Math.Min(14_000, (victim.CurrentSize * 2) + 64))]),
        ("4096 updates", [victim => victim.UpdateUntilSameHeader()]),
        ("delete", [victim => victim.Delete()]),
        ("delete and reuse", [victim => victim.DeleteAndReuse()]),
        ("delete all, change class", [victim => victim.DeleteAllAndChangeClass()]),
        ("purge, change class", [victim => victim.PurgeAndChangeClass()]),
        ("purge, change class twice", [victim => victim.PurgeAndChangeClass(), victim => victim.PurgeAndRefill()]),
        ("purge, change class and back", [victim => victim.PurgeAndReturn()]),
        ("compact", [victim => victim.Compact()]),
    ];

    private static readonly (string Name, Func<Victim, byte[], string?> Read)[] Reads =
    [
        ("Read", ReadOne), ("SizeOf", SizeOf), ("IsLive", IsLive), ("GetMany", GetMany), ("Enumerate", Enumerate),
    ];

    private readonly int _problemsMax = problemsMax;
    private readonly byte[] _buffer = new byte[BufferBytes];
    private int _placesMax;
    private readonly List<string> _problems = [];

    public long Runs { get; private set; }

    public IReadOnlyList<string> Problems => _problems;

    /// <summary>All changes at all accesses of all reads.</summary>
    /// <param name="first">The name of the change that comes before all others; of none, they come in their
    /// order.</param>
    public void RunAll(string first)
    {
        _placesMax = PlacesMax;
        foreach (var change in Changes.OrderByDescending(change => change.Name == first))
            RunAll(change.Name, change.Steps);
    }

    /// <summary>All pairs of changes, at the first accesses of reads.</summary>
    public void RunPairs()
    {
        _placesMax = PlacesMaxOfPairs;
        var singles = Changes.Where(change => change.Steps.Length == 1).ToArray();
        foreach (var first in singles)
        {
            foreach (var second in singles)
                RunAll($"{first.Name}, {second.Name}", [.. first.Steps, .. second.Steps]);
        }
    }

    private void RunAll(string name, Action<Victim>[] steps)
    {
        foreach (var (size, grown) in Shapes)
        {
            foreach (var read in Reads)
                RunAll($"{read.Name} of {size}->{grown} with {name}", (size, grown), steps, read.Read);
        }
    }

    // Puts the steps before all ascending places, as far as the read comes to them.
    private void RunAll(
        string name, (int Size, int Grown) shape, Action<Victim>[] steps, Func<Victim, byte[], string?> read)
    {
        var places = Enumerable.Range(0, steps.Length).ToArray();
        while (_problems.Count < _problemsMax)
        {
            var done = RunOne(name, shape, steps, (places, read));
            var advanced = done == steps.Length ? steps.Length - 1 : done - 1;
            while (advanced >= 0 && places[advanced] == _placesMax - places.Length + advanced)
                advanced--;
            if (advanced < 0)
                return;
            places[advanced]++;
            for (var i = advanced + 1; i < places.Length; i++)
                places[i] = places[i - 1] + 1;
        }
    }

    // Gives how many of the steps were made before the read was over.
    private int RunOne(
        string name,
        (int Size, int Grown) shape,
        Action<Victim>[] steps,
        (int[] Places, Func<Victim, byte[], string?> Read) run)
    {
        using var victim = new Victim(shape.Size, shape.Grown);
        var (reached, done) = (0, 0);
        LitmusPoints.Action = () =>
        {
            if (++reached > AccessesMax)
                throw new InvalidOperationException("The read does not end.");
            if (done < steps.Length && reached == run.Places[done] + 1)
                steps[done++](victim);
        };
        string? problem;
        try
        {
            problem = run.Read(victim, _buffer);
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            problem = e.GetType().Name + ": " + e.Message;
        }
        finally
        {
            LitmusPoints.Action = null;
        }

        Runs++;
        if (problem is not null)
            _problems.Add($"{name} before access {string.Join(" and ", run.Places.Take(done))}: {problem}");
        return done;
    }

    private static string? ReadOne(Victim victim, byte[] buffer)
    {
        if (victim.Pile.TryRead(victim.Pointer, buffer, out var length))
            return victim.Problem(buffer.AsSpan(0, length));
        return victim.IsDeleted ? null : "lost";
    }

    private static string? SizeOf(Victim victim, byte[] buffer)
    {
        try
        {
            var size = victim.Pile.SizeOf(victim.Pointer);
            return victim.HadLength(size) ? null : $"never had {size} bytes";
        }
        catch (InvalidPilePointerException)
        {
            return victim.IsDeleted ? null : "lost";
        }
    }

    private static string? IsLive(Victim victim, byte[] buffer) =>
        victim.Pile.IsLive(victim.Pointer) || victim.IsDeleted ? null : "lost";

    private static string? GetMany(Victim victim, byte[] buffer)
    {
        Span<int> lengths = stackalloc int[2];
        victim.Pile.TryGetMany([victim.Pointer, victim.Pointer], buffer, lengths, out var count);
        var at = 0;
        for (var i = 0; i < count; i++)
        {
            if (lengths[i] < 0 && !victim.IsDeleted)
                return "lost";
            if (lengths[i] < 0)
                continue;
            if (victim.Problem(buffer.AsSpan(at, lengths[i])) is { } problem)
                return problem;
            at += lengths[i];
        }

        return null;
    }

    private static string? Enumerate(Victim victim, byte[] buffer)
    {
        var met = 0;
        foreach (var found in victim.Pile.Enumerate())
        {
            if (found.Pointer != victim.Pointer)
                continue;
            met++;
            if (!victim.HadLength(found.Length))
                return $"never had {found.Length} bytes";
        }

        return met == 1 || (victim.IsDeleted && met == 0) ? null : $"met {met} times";
    }
}

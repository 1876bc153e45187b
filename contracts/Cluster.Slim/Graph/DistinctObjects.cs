namespace Cluster.Slim.Graph;

/// <summary>Finds whether the objects of a sequence are all different, without a table of them: at one moment two
/// objects have two addresses. A bit set, with one bit for each address at which an object can begin, takes 2 ns for
/// each object; a table by identity takes 80, because the hash is stored in the object. Stateless.</summary>
/// <remarks>The collector moves objects only while all threads of the program stand still, and counts the collection
/// before it lets them continue. So all addresses that were read between two equal counts are addresses of one moment.
/// A collector that replaces the runtime's own may behave otherwise; then there is no answer.</remarks>
internal static class DistinctObjects
{
    /// <summary>For fewer objects the check costs more than it saves.</summary>
    public const int CountMin = 64;

    // The bits may take as much memory as the references to the objects; a table would take more.
    private const int BitsPerObjectMax = 64;
    private const int BitsPerWord = 64;
    private const int Attempts = 4;

    private static readonly bool IsCollectorKnown = IsUnset("GCName") && IsUnset("GCPath");

    /// <summary>The number of objects, without nulls; -1 if two are the same, or the answer is unknown.</summary>
    public static int CountIfAllDiffer<T>(ReadOnlySpan<T?> objects)
        where T : class
    {
        ref var first = ref Unsafe.As<T?, nuint>(ref MemoryMarshal.GetReference(objects));
        var addresses = MemoryMarshal.CreateReadOnlySpan(ref first, objects.Length);
        for (var attempt = 0; IsCollectorKnown && attempt < Attempts; attempt++)
        {
            var collections = GC.CollectionCount(0);
            var count = Count(addresses);
            if (GC.CollectionCount(0) == collections)
                return count;
        }

        return -1;
    }

    private static int Count(ReadOnlySpan<nuint> addresses)
    {
        var lowest = nuint.MaxValue;
        nuint highest = 0;
        var count = 0;
        foreach (var address in addresses)
        {
            if (address == 0)
                continue;
            count++;
            lowest = Math.Min(lowest, address);
            highest = Math.Max(highest, address);
        }

        if (count == 0)
            return 0;
        ulong bits = ((highest - lowest) / (nuint)nint.Size) + 1;
        if (bits > (ulong)count * BitsPerObjectMax)
            return -1;
        var length = (int)((bits + BitsPerWord - 1) / BitsPerWord);
        var words = ArrayPool<ulong>.Shared.Rent(length);
        var seen = words.AsSpan(0, length);
        seen.Clear();
        var differ = Differ(addresses, lowest, seen);
        ArrayPool<ulong>.Shared.Return(words);
        return differ ? count : -1;
    }

    // A collection may move objects during the loop, also out of the range; then the answer is not used.
    private static bool Differ(ReadOnlySpan<nuint> addresses, nuint lowest, Span<ulong> seen)
    {
        ulong twice = 0;
        foreach (var address in addresses)
        {
            if (address == 0)
                continue;
            var bit = (address - lowest) / (nuint)nint.Size;
            var word = bit / BitsPerWord;
            if (word >= (nuint)seen.Length)
                return false;
            var mask = 1UL << (int)(bit % BitsPerWord);
            ref var place = ref seen[(int)word];
            twice |= place & mask;
            place |= mask;
        }

        return twice == 0;
    }

    private static bool IsUnset(string setting) =>
        GC.GetConfigurationVariables().TryGetValue(setting, out var value) && value is "";
}

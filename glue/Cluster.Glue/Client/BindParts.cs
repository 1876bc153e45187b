using Cluster.Glue.Wire;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.Client;

/// <summary>Cuts the manifest of a contract into parts that each fit into an envelope: a number of methods and the
/// descriptions of their types. Made for one manifest.</summary>
internal sealed class BindParts(BindRequest whole, int bytesMax)
{
    // An estimate of the bytes of counts and lengths.
    private const int NumbersBytes = 32;

    private readonly List<BindRequest> _parts = [];
    private readonly List<BindRequest.Method> _methods = [];
    private readonly List<byte[]> _types = [];
    private readonly Dictionary<int, int> _indexes = [];
    private int _firstHandle = whole.FirstHandle;
    private int _bytes;

    public static BindRequest[] Of(BindRequest whole, int bytesMax) => new BindParts(whole, bytesMax).Cut();

    private int NamesBytes => NumbersBytes + whole.Contracts.Sum(SizeOf);

    private BindRequest[] Cut()
    {
        _bytes = NamesBytes;
        foreach (var method in whole.Methods)
            Add(method);
        End();
        return [.. _parts];
    }

    private void Add(BindRequest.Method method)
    {
        var own = SizeOf(method);
        if (_methods.Count > 0 && _bytes + own + MissingTypesBytes(method) > bytesMax)
            End();
        var types = MissingTypesBytes(method);
        // Types that are too large to be described are compared by their fingerprint only.
        var isDescribed = _bytes + own + types <= bytesMax;
        _methods.Add(method with { Arguments = isDescribed ? [.. (method.Arguments ?? []).Select(IndexOf)] : [] });
        _bytes += own + (isDescribed ? types : 0);
    }

    private void End()
    {
        if (_methods.Count == 0)
            return;
        _parts.Add(whole with { FirstHandle = _firstHandle, Types = [.. _types], Methods = [.. _methods] });
        _firstHandle += _methods.Count;
        _methods.Clear();
        _types.Clear();
        _indexes.Clear();
        _bytes = NamesBytes;
    }

    private int IndexOf(int argument)
    {
        if (argument == 0)
            return 0;
        if (_indexes.TryGetValue(argument, out var known))
            return known;
        _types.Add(whole.DescriptionOf(argument));
        _indexes.Add(argument, _types.Count);
        return _types.Count;
    }

    private int MissingTypesBytes(BindRequest.Method method) =>
        (method.Arguments ?? []).Where(argument => argument != 0 && !_indexes.ContainsKey(argument)).Distinct()
            .Sum(argument => whole.DescriptionOf(argument).Length + NumbersBytes);

    private static int SizeOf(BindRequest.Method method) =>
        NumbersBytes + SizeOf(method.Name) + (sizeof(ulong) * (method.SignatureHashes.Length + 1))
            + (method.TypeArguments ?? []).Sum(SizeOf) + (Varint.BytesMax * (method.Arguments?.Length ?? 0));

    private static int SizeOf(string text) => Varint.BytesMax + Encoding.UTF8.GetByteCount(text);
}

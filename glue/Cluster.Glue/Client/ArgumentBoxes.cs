namespace Cluster.Glue.Client;

/// <summary>The arguments of one call that is not serialized, in their order. Used by one thread. Not copied.</summary>
/// <param name="first">The arguments that are there already; null: none, and only then can others be added.</param>
internal struct ArgumentBoxes(ArgumentBox? first)
{
    private ArgumentBox? _last;

    public ArgumentBox? First { get; private set; } = first;

    public void Add(ArgumentBox box)
    {
        if (_last is null)
            First = box;
        else
            _last.Next = box;
        _last = box;
    }
}

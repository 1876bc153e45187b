namespace Cluster.Nodes.AspNetCore.Protection;

/// <summary>The elements of the key ring of Data Protection, in the order in which they were stored: keys and
/// revocations, as XML. The one value of its state; the owner of its key changes it.</summary>
internal sealed class StoredKeys
{
    private readonly List<string> _elements = [];

    public IReadOnlyList<string> Elements => _elements;

    public void Add(string element) => _elements.Add(element);
}

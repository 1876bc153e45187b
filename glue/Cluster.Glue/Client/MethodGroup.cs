using Cluster.Glue.Signatures;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Client;

/// <summary>Methods that are bound together and get consecutive handles: those of a contract, or one closed form of a
/// generic method. Immutable.</summary>
internal sealed class MethodGroup
{
    private readonly Lazy<BindRequest> _manifest;
    private readonly Lazy<BindRequest[]> _parts;

    public MethodGroup(ClientContract owner, int index, ContractMethod[] methods)
    {
        Owner = owner;
        Index = index;
        FirstMethodIndex = methods.Length == 0 ? 0 : methods[0].Index;
        Methods = Array.ConvertAll(methods, method => ClientMethod.Create(this, method));
        _manifest = new Lazy<BindRequest>(CreateManifest);
        _parts = new Lazy<BindRequest[]>(() => BindParts.Of(Manifest, GlueWire.WholeBodyBytesMax));
    }

    public ClientContract Owner { get; }

    /// <summary>A small number, unique in the client, by which links store the group's handles.</summary>
    public int Index { get; }

    /// <summary>The index in the contract of the method that gets the first handle.</summary>
    public int FirstMethodIndex { get; }

    public ClientMethod[] Methods { get; }

    /// <summary>The bind request of the group, with first handle 0.</summary>
    public BindRequest Manifest => _manifest.Value;

    /// <summary>The bind request in parts for a link, whose envelopes are bounded.</summary>
    public BindRequest[] Parts => _parts.Value;

    private BindRequest CreateManifest()
    {
        var indexes = new Dictionary<Type, int>();
        var types = new List<byte[]>();
        var methods = Array.ConvertAll(Methods, method => new BindRequest.Method
        {
            Name = method.Contract.Method.Name,
            SignatureHashes = method.Contract.SignatureHashes,
            LayoutFingerprint = method.LayoutFingerprint,
            TypeArguments = method.TypeArguments,
            Arguments = method.Contract.IsOpen ? [] : [.. method.Contract.ArgumentTypes.Select(IndexOf)],
        });
        return new BindRequest(0, Owner.Description.Names, [], methods) { Types = [.. types] };

        int IndexOf(Type type)
        {
            if (indexes.TryGetValue(type, out var known))
                return known;
            var description = Owner.Serializer.DescriptionOf(type);
            if (description.Length > 0)
                types.Add(description);
            indexes.Add(type, description.Length > 0 ? types.Count : 0);
            return indexes[type];
        }
    }
}

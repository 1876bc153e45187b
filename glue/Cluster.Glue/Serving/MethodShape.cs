using Cluster.Glue.Client;
using Cluster.Glue.Signatures;

namespace Cluster.Glue.Serving;

/// <summary>The arguments and the result of one served method as objects. Immutable.</summary>
internal sealed class MethodShape(ContractMethod method)
{
    private readonly ObjectShape[] _arguments = [.. method.ArgumentTypes.Select(ObjectShape.Of)];

    public ObjectShape Result { get; } = ObjectShape.Of(method.ResultType);

    /// <summary>Reads the arguments of a call. Returns the first box of the chain; null for a method without
    /// arguments.</summary>
    public ArgumentBox? ReadArguments(IncomingCall call)
    {
        ArgumentBox? first = null;
        ArgumentBox? last = null;
        foreach (var shape in _arguments)
        {
            var box = shape.Read(call);
            if (last is null)
                first = box;
            else
                last.Next = box;
            last = box;
        }

        return first;
    }
}

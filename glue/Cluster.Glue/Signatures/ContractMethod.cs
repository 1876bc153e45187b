using Cluster.Slim.Hosting;

namespace Cluster.Glue.Signatures;

/// <summary>One method of a contract as both sides see it: signature text and hash, result shape, and the types that
/// travel. Immutable.</summary>
internal sealed class ContractMethod
{
    public required MethodInfo Method { get; init; }

    /// <summary>Position in the contract's ordered list.</summary>
    public required int Index { get; init; }

    /// <summary>Contract and method name without parameters, for messages.</summary>
    public required string DisplayName { get; init; }

    /// <summary>Contract and method name as the conventions of OpenTelemetry write them, for spans and metrics. The
    /// closed forms of a generic method have one name.</summary>
    public required string RpcName { get; init; }

    /// <summary>The types of the travelling parameters and of the result, for messages.</summary>
    public string TypesText =>
        $"({string.Join(", ", ArgumentTypes.Select(TypeText.Of))}) : "
            + (HasResult ? TypeText.Of(ResultType) : "void");

    /// <summary>The name on the wire.</summary>
    public ulong SignatureHash => SignatureHashes[0];

    /// <summary>The name on the wire, and the names before the renames that aliases declare.</summary>
    public required ulong[] SignatureHashes { get; init; }

    /// <summary>All parameters in order, the cancellation token among them.</summary>
    public required Type[] Parameters { get; init; }

    /// <summary>The position of the cancellation token; -1 without one.</summary>
    public required int TokenIndex { get; init; }

    public required ReturnShape Shape { get; init; }

    /// <summary>The type of the result; <see cref="Nothing"/> for none.</summary>
    public required Type ResultType { get; init; }

    public required bool IsOneWay { get; init; }

    /// <summary>Whether the method may run twice for one call without harm.</summary>
    public required bool IsIdempotent { get; init; }

    /// <summary>Whether the method creates an instance of a stateful service.</summary>
    public required bool IsConstructor { get; init; }

    /// <summary>Whether the method ends the instance on which it is called.</summary>
    public required bool IsDestructor { get; init; }

    /// <summary>The type arguments of a closed generic method; empty for other methods.</summary>
    public Type[] TypeArguments { get; init; } = [];

    /// <summary>Whether the method is generic and not closed over type arguments yet.</summary>
    public bool IsOpen => Method.IsGenericMethodDefinition;

    /// <summary>Whether the result itself is a stream.</summary>
    public bool ReturnsStream => ReferenceRules.IsStream(ResultType);

    public bool HasResult => ResultType != typeof(Nothing);

    /// <summary>Whether the values of all its types have the same form in messages of all versions of a
    /// program.</summary>
    public bool IsFixed => ArgumentTypes.All(SlimLayouts.IsFixed) && (!HasResult || SlimLayouts.IsFixed(ResultType));

    /// <summary>The types of the arguments that travel.</summary>
    public IEnumerable<Type> ArgumentTypes => Parameters.Where((_, index) => index != TokenIndex);

    /// <summary>The method closed over type arguments; its name on the wire stays that of the open one.</summary>
    /// <exception cref="ArgumentException">The arguments violate a constraint.</exception>
    /// <exception cref="NotSupportedException">The closed method could not be called remotely.</exception>
    public ContractMethod Close(Type[] arguments)
    {
        var closed = Method.MakeGenericMethod(arguments);
        ContractRules.CheckMethod(closed.DeclaringType!, closed);
        var result = HasResult && Shape is ReturnShape.Task or ReturnShape.ValueTask
            ? closed.ReturnType.GetGenericArguments()[0]
            : closed.ReturnType;
        return new ContractMethod
        {
            Method = closed,
            Index = Index,
            DisplayName = $"{DisplayName}<{string.Join(',', arguments.Select(TypeText.Of))}>",
            RpcName = RpcName,
            SignatureHashes = SignatureHashes,
            Parameters = Array.ConvertAll(closed.GetParameters(), parameter => parameter.ParameterType),
            TokenIndex = TokenIndex,
            Shape = Shape,
            ResultType = HasResult ? result : typeof(Nothing),
            IsOneWay = IsOneWay,
            IsIdempotent = IsIdempotent,
            IsConstructor = IsConstructor,
            IsDestructor = IsDestructor,
            TypeArguments = arguments,
        };
    }
}

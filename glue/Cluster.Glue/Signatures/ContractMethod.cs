using Cluster.Slim.Hosting;

namespace Cluster.Glue.Signatures;

/// <summary>One method of a contract as both sides see it: signature text and hash, result shape, what travels.
/// Immutable.</summary>
internal sealed class ContractMethod
{
    public required MethodInfo Method { get; init; }

    /// <summary>Position in the contract's ordered list.</summary>
    public required int Index { get; init; }

    /// <summary>For messages: contract and method name without parameters.</summary>
    public required string DisplayName { get; init; }

    /// <summary>For messages: the types of the parameters that travel, and of the result.</summary>
    public string TypesText =>
        $"({string.Join(", ", ArgumentTypes.Select(TypeText.Of))}) : "
            + (HasResult ? TypeText.Of(ResultType) : "void");

    /// <summary>The name on the wire.</summary>
    public ulong SignatureHash => SignatureHashes[0];

    /// <summary>The name on the wire, and those of before the renames that aliases tell of.</summary>
    public required ulong[] SignatureHashes { get; init; }

    /// <summary>All parameters in order, the cancellation token among them.</summary>
    public required Type[] Parameters { get; init; }

    /// <summary>Where the cancellation token stands; -1 without one.</summary>
    public required int TokenIndex { get; init; }

    public required ReturnShape Shape { get; init; }

    /// <summary>The type that travels back; <see cref="Nothing"/> for none.</summary>
    public required Type ResultType { get; init; }

    public required bool IsOneWay { get; init; }

    /// <summary>It may run twice for one call without harm.</summary>
    public required bool IsIdempotent { get; init; }

    /// <summary>It makes an instance of a stateful service.</summary>
    public required bool IsConstructor { get; init; }

    /// <summary>It ends the instance it is called on.</summary>
    public required bool IsDestructor { get; init; }

    /// <summary>What the type parameters of a generic method were closed over; empty for other methods.</summary>
    public Type[] TypeArguments { get; init; } = [];

    /// <summary>A generic method that is yet to be closed over type arguments.</summary>
    public bool IsOpen => Method.IsGenericMethodDefinition;

    /// <summary>The result itself is a stream.</summary>
    public bool ReturnsStream => ReferenceRules.IsStream(ResultType);

    public bool HasResult => ResultType != typeof(Nothing);

    /// <summary>Values of all its types lie in messages alike in all versions of a program.</summary>
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

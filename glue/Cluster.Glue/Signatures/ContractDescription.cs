namespace Cluster.Glue.Signatures;

/// <summary>The checked description of a contract interface: its name on the wire and its methods, inherited ones
/// included, in an order that both sides compute alike. Immutable; made once per type and cached.</summary>
internal sealed class ContractDescription
{
    private static readonly ConcurrentDictionary<Type, ContractDescription> Cache = new();

    private ContractDescription(Type type)
    {
        ContractRules.CheckType(type);
        Type = type;
        Names = PastSignatures.NamesOf(type);
        Name = Names[0];
        NameHash = SignatureHash.Of(Name);
        Methods = Describe(type);
    }

    public Type Type { get; }

    public string Name { get; }

    /// <summary>The name, and the former names of the contract.</summary>
    public string[] Names { get; }

    public ulong NameHash { get; }

    public ContractMethod[] Methods { get; }

    /// <summary>The methods that are not generic.</summary>
    public IEnumerable<ContractMethod> ClosedMethods => Methods.Where(method => !method.IsOpen);

    /// <summary>The types whose values travel when the contract is called, without type parameters.</summary>
    public IEnumerable<Type> TravellingTypes =>
        Methods.SelectMany(m => m.HasResult ? m.ArgumentTypes.Append(m.ResultType) : m.ArgumentTypes)
            .Where(type => !type.ContainsGenericParameters)
            .Distinct();

    /// <exception cref="NotSupportedException">A member cannot be called remotely; it is named.</exception>
    public static ContractDescription Of(Type type) => Cache.GetOrAdd(type, static t => new ContractDescription(t));

    private static ContractMethod[] Describe(Type type)
    {
        var found = new List<(string[] Signatures, MethodInfo Method)>();
        Type[] interfaces = [.. type.GetInterfaces().Prepend(type).Where(one => !ContractRules.IsLocal(one))];
        if (ContractRules.ProblemsOf(interfaces) is { Count: > 0 } problems)
            throw new NotSupportedException(string.Join(Environment.NewLine, problems));
        foreach (var declaring in interfaces)
        {
            foreach (var method in ContractRules.RemoteMethodsOf(declaring))
                found.Add((SignaturesOf(type, method), method));
        }

        found.Sort(static (left, right) => string.CompareOrdinal(left.Signatures[0], right.Signatures[0]));
        return found.Select((entry, index) => Describe(entry.Signatures, entry.Method, index, type)).ToArray();
    }

    private static ContractMethod Describe(string[] signatures, MethodInfo method, int index, Type contract)
    {
        var parameters = method.GetParameters().Select(p => p.ParameterType).ToArray();
        (var shape, var result) = ResultOf(method.ReturnType);
        return new ContractMethod
        {
            Method = method,
            Index = index,
            DisplayName = $"{TypeText.Of(contract)}.{method.Name}",
            RpcName = $"{TypeText.Of(contract)}/{method.Name}",
            SignatureHashes = Array.ConvertAll(signatures, SignatureHash.Of),
            Parameters = parameters,
            TokenIndex = Array.IndexOf(parameters, typeof(CancellationToken)),
            Shape = shape,
            ResultType = result,
            IsOneWay = method.IsDefined(typeof(OneWayAttribute), inherit: false),
            IsIdempotent = method.IsDefined(typeof(IdempotentAttribute), inherit: false),
            IsConstructor = method.IsDefined(typeof(ConstructorAttribute), inherit: false),
            IsDestructor = method.IsDefined(typeof(DestructorAttribute), inherit: false),
        };
    }

    private static string[] SignaturesOf(Type contract, MethodInfo method) =>
        PastSignatures.NamesOf(contract)
            .SelectMany(name => PastSignatures.Of(
                method, (one, called, write) => SignatureOf(name, one, called, write)))
            .Distinct()
            .ToArray();

    private static string SignatureOf(string contract, MethodInfo method, string name, Func<Type, string> write)
    {
        // The token does not travel, so a method that gets one later keeps its signature.
        var parameters = method.GetParameters()
            .Where(p => p.ParameterType != typeof(CancellationToken))
            .Select(p => write(p.ParameterType));
        var result = ResultOf(method.ReturnType).Result;
        var resultName = result == typeof(Nothing) ? "void" : write(result);
        var declaring = write(method.DeclaringType!);
        var arity = method.IsGenericMethodDefinition ? $"`{method.GetGenericArguments().Length}" : string.Empty;
        return $"{contract}|{declaring}|{name}{arity}({string.Join(';', parameters)}):{resultName}";
    }

    private static (ReturnShape Shape, Type Result) ResultOf(Type type)
    {
        if (type == typeof(void))
            return (ReturnShape.Synchronous, typeof(Nothing));
        if (type == typeof(Task))
            return (ReturnShape.Task, typeof(Nothing));
        if (type == typeof(ValueTask))
            return (ReturnShape.ValueTask, typeof(Nothing));
        if (type.IsConstructedGenericType && type.GetGenericTypeDefinition() == typeof(Task<>))
            return (ReturnShape.Task, type.GetGenericArguments()[0]);
        if (type.IsConstructedGenericType && type.GetGenericTypeDefinition() == typeof(ValueTask<>))
            return (ReturnShape.ValueTask, type.GetGenericArguments()[0]);
        return (ReferenceRules.IsStream(type) ? ReturnShape.Stream : ReturnShape.Synchronous, type);
    }
}

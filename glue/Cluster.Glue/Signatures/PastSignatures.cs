namespace Cluster.Glue.Signatures;

/// <summary>The present and former names of contracts and methods, from the aliases of contracts, methods and the types
/// that they mention. Pure.</summary>
internal static class PastSignatures
{
    /// <summary>The most names of one method that are tried, because the aliases of several types multiply.</summary>
    private const int CountMax = 64;

    /// <summary>The names of a type as <see cref="TypeText"/> writes it, the present one first.</summary>
    public static string[] NamesOf(Type type)
    {
        var definition = DefinitionOf(type);
        return
        [
            TypeText.Of(type),
            .. OldNamesOf(type).Select(name => TypeText.Of(type, new() { [definition] = name })),
        ];
    }

    /// <summary>The texts that name a method, the present one first.</summary>
    public static string[] Of(MethodInfo method, Func<MethodInfo, string, Func<Type, string>, string> write)
    {
        var renamed = TypesOf(method).Where(type => OldNamesOf(type).Length > 0).ToArray();
        IEnumerable<Dictionary<Type, string>> moments = [[]];
        foreach (var type in renamed)
            moments = moments.SelectMany(moment => With(moment, type)).Take(CountMax).ToArray();
        string[] names = [method.Name, .. AliasesOf(method)];
        return moments
            .SelectMany(moment => names.Select(name => write(method, name, type => TypeText.Of(type, moment))))
            .Distinct()
            .Take(CountMax)
            .ToArray();
    }

    /// <summary>The former names of a type, without assemblies.</summary>
    public static string[] OldNamesOf(Type type) =>
        Array.ConvertAll(AliasesOf(DefinitionOf(type)), name => name.Split(',')[0].Trim());

    public static string[] AliasesOf(MemberInfo member) =>
        member.GetCustomAttributes<AliasAttribute>(inherit: false).Select(alias => alias.OldName).ToArray();

    private static Type DefinitionOf(Type type) =>
        type.IsConstructedGenericType ? type.GetGenericTypeDefinition() : type;

    private static IEnumerable<Dictionary<Type, string>> With(Dictionary<Type, string> moment, Type type) =>
        OldNamesOf(type)
            .Select(name => new Dictionary<Type, string>(moment) { [type] = name })
            .Prepend(moment);

    private static HashSet<Type> TypesOf(MethodInfo method)
    {
        var types = new HashSet<Type>();
        Add(types, method.DeclaringType!);
        Add(types, method.ReturnType);
        foreach (var parameter in method.GetParameters())
            Add(types, parameter.ParameterType);
        return types;
    }

    private static void Add(HashSet<Type> types, Type type)
    {
        if (type.GetElementType() is { } element)
            Add(types, element);
        foreach (var argument in type.GetGenericArguments())
            Add(types, argument);
        if (!type.IsGenericParameter)
            types.Add(DefinitionOf(type));
    }
}

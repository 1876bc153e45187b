using System.Globalization;
using System.Reflection;

namespace Cluster.ConventionTests.PublicApi;

/// <summary>Types as C# writes them, with nullability, without namespaces outside of headers. Stateless.</summary>
internal static class TypeNames
{
    private static readonly Dictionary<Type, string> Keywords = new()
    {
        [typeof(void)] = "void", [typeof(bool)] = "bool", [typeof(byte)] = "byte", [typeof(sbyte)] = "sbyte",
        [typeof(short)] = "short", [typeof(ushort)] = "ushort", [typeof(int)] = "int", [typeof(uint)] = "uint",
        [typeof(long)] = "long", [typeof(ulong)] = "ulong", [typeof(char)] = "char", [typeof(float)] = "float",
        [typeof(double)] = "double", [typeof(decimal)] = "decimal", [typeof(string)] = "string",
        [typeof(object)] = "object",
    };

    /// <summary>A declared type with its namespace.</summary>
    internal static string Full(Type type) => $"{type.Namespace}.{Of(type)}";

    internal static string Of(Type type)
    {
        if (Keywords.TryGetValue(type, out var keyword))
        {
            return keyword;
        }

        if (type.IsArray)
        {
            return Of(type.GetElementType()!) + Rank(type);
        }

        if (type.IsByRef || type.IsPointer)
        {
            return Of(type.GetElementType()!) + (type.IsPointer ? "*" : "");
        }

        if (Nullable.GetUnderlyingType(type) is { } underlying)
        {
            return Of(underlying) + "?";
        }

        var outer = type is { IsNested: true, IsGenericParameter: false } ? Of(type.DeclaringType!) + "." : "";
        return outer + type.Name.Split('`')[0] + Arguments(type.GetGenericArguments().Select(Of), type.IsGenericType);
    }

    internal static string Of(NullabilityInfo nullability) =>
        WithNullability(nullability) + (IsNullableReference(nullability) ? "?" : "");

    internal static string Of(ParameterInfo parameter)
    {
        var prefix = parameter.IsDefined(typeof(ParamArrayAttribute))
            || parameter.IsDefined(typeof(System.Runtime.CompilerServices.ParamCollectionAttribute)) ? "params " : "";
        var passing = parameter switch
        {
            { ParameterType.IsByRef: false } => "",
            { IsOut: true } => "out ",
            { IsIn: true } => "in ",
            _ => "ref ",
        };
        var type = Of(new NullabilityInfoContext().Create(parameter));
        var value = parameter.HasDefaultValue ? $" = {Literal(parameter.RawDefaultValue)}" : "";
        return $"{prefix}{passing}{type} {parameter.Name}{value}";
    }

    internal static string Parameters(MethodBase method) => string.Join(", ", method.GetParameters().Select(Of));

    internal static string Returned(MethodInfo method)
    {
        var type = Of(new NullabilityInfoContext().Create(method.ReturnParameter));
        return method.ReturnType.IsByRef ? "ref " + type : type;
    }

    internal static string Constraints(MethodInfo method)
    {
        if (!method.IsGenericMethodDefinition)
        {
            return "";
        }

        return string.Concat(
            from argument in method.GetGenericArguments()
            let flags = argument.GenericParameterAttributes
            let kinds = argument.GetGenericParameterConstraints().Where(type => type != typeof(ValueType)).Select(Of)
                .Prepend(flags.HasFlag(GenericParameterAttributes.NotNullableValueTypeConstraint) ? "struct" : "")
                .Prepend(flags.HasFlag(GenericParameterAttributes.ReferenceTypeConstraint) ? "class" : "")
                .Where(kind => kind.Length > 0)
                .ToArray()
            where kinds.Length > 0
            select $" where {argument.Name} : {string.Join(", ", kinds)}");
    }

    internal static string Literal(object? value) => value switch
    {
        null => "default",
        string text => $"\"{text}\"",
        bool flag => flag ? "true" : "false",
        _ => Convert.ToString(value, CultureInfo.InvariantCulture) ?? "",
    };

    private static string WithNullability(NullabilityInfo nullability)
    {
        var type = nullability.Type.IsByRef ? nullability.Type.GetElementType()! : nullability.Type;
        if (nullability.ElementType is { } element && type.IsArray)
        {
            return Of(element) + Rank(type);
        }

        var arguments = nullability.GenericTypeArguments;
        return arguments.Length == 0 || Nullable.GetUnderlyingType(type) is not null || type.IsNested
            ? Of(type)
            : type.Name.Split('`')[0] + Arguments(arguments.Select(Of), isGeneric: true);
    }

    private static bool IsNullableReference(NullabilityInfo nullability) =>
        nullability.ReadState == NullabilityState.Nullable && Nullable.GetUnderlyingType(nullability.Type) is null
        && nullability.Type != typeof(void);

    private static string Rank(Type array) => $"[{new string(',', array.GetArrayRank() - 1)}]";

    private static string Arguments(IEnumerable<string> arguments, bool isGeneric) =>
        isGeneric ? $"<{string.Join(", ", arguments)}>" : "";
}

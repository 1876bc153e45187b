using System.Diagnostics.CodeAnalysis;

namespace Cluster.Slim;

/// <summary>Builds the exceptions of this library in one place, so that hot paths stay small and wording stays
/// equal.</summary>
internal static class Throw
{
    [DoesNotReturn]
    internal static void Malformed(string message) => throw new SlimMalformedException(message);

    [DoesNotReturn]
    internal static void Truncated() =>
        throw new SlimMalformedException("The message ends before the value it announces.");

    [DoesNotReturn]
    internal static void Limit(string name, long limit, long found) =>
        throw new SlimLimitException($"{found} is over the limit SlimLimits.{name} = {limit}.") { LimitName = name };

    [DoesNotReturn]
    internal static void FormatLimit(string name, string message) =>
        throw new SlimLimitException(message) { LimitName = name };

    internal static SlimTypeNotAllowedException NotAllowed(Type type, Type root) =>
        new($"{type} is not on the closed list of {root}. Add it: new SlimOptions().Allow<{CodeNameOf(type)}>().")
        {
            TypeName = type.FullName ?? type.Name,
        };

    internal static SlimTypeNotAllowedException NotAllowed(string name, Type root)
    {
        int end = name.AsSpan().IndexOfAny(',', '[');
        string code = (end < 0 ? name : name[..end]).Replace('+', '.');
        return new($"{name} is not on the closed list of {root}. Add it: new SlimOptions().Allow<{code}>().")
        {
            TypeName = name,
        };
    }

    internal static SlimTypeNotSupportedException NotSupported(Type type, string reason) =>
        new($"{type} cannot be carried: {reason}") { TypeName = type.FullName ?? type.Name };

    private static string CodeNameOf(Type type)
    {
        if (type.IsArray)
            return $"{CodeNameOf(type.GetElementType()!)}[{new string(',', type.GetArrayRank() - 1)}]";
        string name = (type.FullName ?? type.Name).Replace('+', '.');
        if (!type.IsGenericType)
            return name;
        string open = name[..name.IndexOf('`', StringComparison.Ordinal)];
        return $"{open}<{string.Join(", ", type.GetGenericArguments().Select(CodeNameOf))}>";
    }
}

using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;

namespace Cluster.ConventionTests.PublicApi;

/// <summary>
/// The public surface of an assembly as text, one member a line, in an order that does not depend on the source. What
/// compilers add to records is left out. Stateless.
/// </summary>
internal static class ApiText
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance
        | BindingFlags.Static | BindingFlags.DeclaredOnly;

    internal static string Of(Assembly assembly) => Of(assembly.GetExportedTypes());

    internal static string Of(IEnumerable<Type> types)
    {
        var text = new StringBuilder();
        foreach (var type in types.OrderBy(type => type.FullName, StringComparer.Ordinal))
        {
            text.Append(HeaderOf(type)).Append('\n');
            foreach (var member in MembersOf(type).Order(StringComparer.Ordinal))
            {
                text.Append("    ").Append(member).Append('\n');
            }

            text.Append('\n');
        }

        return text.ToString();
    }

    private static string HeaderOf(Type type)
    {
        if (IsDelegate(type))
        {
            var invoke = type.GetMethod("Invoke")!;
            return $"delegate {TypeNames.Returned(invoke)} {TypeNames.Full(type)}({TypeNames.Parameters(invoke)})";
        }

        var bases = type.GetInterfaces()
            .Where(candidate => candidate.IsVisible && !IsInherited(type, candidate) && !IsOfRecord(type, candidate))
            .Select(TypeNames.Of)
            .Order(StringComparer.Ordinal)
            .ToList();
        if (type.BaseType is { } parent && parent != typeof(object) && !type.IsValueType)
        {
            bases.Insert(0, TypeNames.Of(parent));
        }

        var suffix = type.IsEnum
            ? $" : {TypeNames.Of(Enum.GetUnderlyingType(type))}"
            : bases.Count > 0 ? $" : {string.Join(", ", bases)}" : "";
        return $"{KindOf(type)} {TypeNames.Full(type)}{suffix}";
    }

    private static string KindOf(Type type)
    {
        if (type.IsInterface)
        {
            return "interface";
        }

        if (type.IsEnum)
        {
            return "enum";
        }

        var record = IsRecord(type) ? "record " : "";
        if (type.IsValueType)
        {
            var isReadOnly = type.IsDefined(typeof(IsReadOnlyAttribute), inherit: false);
            return $"{(isReadOnly ? "readonly " : "")}{(type.IsByRefLike ? "ref " : "")}{record}struct";
        }

        var modifier = type switch
        {
            { IsAbstract: true, IsSealed: true } => "static ",
            { IsAbstract: true } => "abstract ",
            { IsSealed: true } => "sealed ",
            _ => "",
        };
        return $"{modifier}{record}class";
    }

    private static IEnumerable<string> MembersOf(Type type)
    {
        if (type.IsEnum)
        {
            return type.GetFields(BindingFlags.Public | BindingFlags.Static)
                .Select(field => $"{Convert.ToInt64(field.GetRawConstantValue(), null),4} {field.Name}");
        }

        return IsDelegate(type)
            ? []
            : type.GetMembers(Declared).Where(member => !IsGenerated(member)).Select(MemberText.Of).OfType<string>();
    }

    private static bool IsGenerated(MemberInfo member) =>
        member.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false);

    private static bool IsDelegate(Type type) => type.BaseType == typeof(MulticastDelegate);

    private static bool IsInherited(Type type, Type candidate) =>
        type.BaseType?.GetInterfaces().Contains(candidate) == true
        || type.GetInterfaces().Any(other => other != candidate && other.GetInterfaces().Contains(candidate));

    private static bool IsOfRecord(Type type, Type candidate) =>
        IsRecord(type) && candidate.IsGenericType && candidate.GetGenericTypeDefinition() == typeof(IEquatable<>);

    private static bool IsRecord(Type type) =>
        type.GetMethod("PrintMembers", Declared) is { } print && IsGenerated(print);
}

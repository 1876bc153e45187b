using System.Reflection;
using System.Runtime.CompilerServices;

namespace Cluster.ConventionTests.PublicApi;

/// <summary>One public or protected member as a line of text. Stateless.</summary>
internal static class MemberText
{
    /// <summary>
    /// The line, or <c>null</c> for a member that callers cannot see or that belongs to another line.
    /// </summary>
    internal static string? Of(MemberInfo member) => member switch
    {
        ConstructorInfo constructor when IsVisible(constructor) && !constructor.IsStatic =>
            $"{AccessOf(constructor)}new({TypeNames.Parameters(constructor)})",
        MethodInfo method when IsVisible(method) && (!method.IsSpecialName || IsOperator(method)) => OfMethod(method),
        PropertyInfo property => OfProperty(property),
        FieldInfo field when field.IsPublic || field.IsFamily || field.IsFamilyOrAssembly => OfField(field),
        EventInfo entry when IsVisible(entry.AddMethod) =>
            ModifiersOf(entry.AddMethod!)
            + $"event {TypeNames.Of(new NullabilityInfoContext().Create(entry))} {entry.Name}",
        _ => null,
    };

    private static string OfMethod(MethodInfo method)
    {
        var generics = method.IsGenericMethodDefinition
            ? $"<{string.Join(", ", method.GetGenericArguments().Select(argument => argument.Name))}>"
            : "";
        var extension = method.IsDefined(typeof(ExtensionAttribute), inherit: false) ? "this " : "";
        return $"{ModifiersOf(method)}{TypeNames.Returned(method)} {method.Name}{generics}"
            + $"({extension}{TypeNames.Parameters(method)}){TypeNames.Constraints(method)}";
    }

    private static string? OfProperty(PropertyInfo property)
    {
        var visible = property.GetAccessors(nonPublic: true).Where(IsVisible).ToArray();
        if (visible.Length == 0)
        {
            return null;
        }

        var accessors = string.Concat(
            IsVisible(property.GetMethod) ? "get; " : "",
            IsVisible(property.SetMethod) ? AccessOf(property.SetMethod!) + (IsInit(property) ? "init; " : "set; ") : "");
        var index = property.GetIndexParameters();
        var name = index.Length > 0 ? $"this[{string.Join(", ", index.Select(TypeNames.Of))}]" : property.Name;
        var required = property.IsDefined(typeof(RequiredMemberAttribute)) ? "required " : "";
        var type = TypeNames.Of(new NullabilityInfoContext().Create(property));
        return $"{ModifiersOf(visible[0])}{required}{type} {name} {{ {accessors}}}";
    }

    private static string OfField(FieldInfo field)
    {
        var type = TypeNames.Of(new NullabilityInfoContext().Create(field));
        var scope = field.IsStatic ? "static " : "";
        var modifiers = field.IsLiteral ? "const " : scope + (field.IsInitOnly ? "readonly " : "");
        var value = field.IsLiteral ? $" = {TypeNames.Literal(field.GetRawConstantValue())}" : "";
        return $"{modifiers}{type} {field.Name}{value}";
    }

    private static bool IsVisible(MethodBase? method) =>
        method is not null && (method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly);

    private static bool IsOperator(MethodInfo method) => method.Name.StartsWith("op_", StringComparison.Ordinal);

    private static bool IsInit(PropertyInfo property) => property.SetMethod!.ReturnParameter
        .GetRequiredCustomModifiers().Contains(typeof(IsExternalInit));

    private static string AccessOf(MethodBase method) => method.IsPublic ? "" : "protected ";

    private static string ModifiersOf(MethodInfo method)
    {
        if (method.DeclaringType!.IsInterface)
        {
            return method.IsStatic ? "static " : "";
        }

        var isOverride = method.IsVirtual && method.GetBaseDefinition().DeclaringType != method.DeclaringType;
        var kind = method.IsStatic ? "static "
            : isOverride ? "override "
            : method.IsAbstract ? "abstract "
            : method is { IsVirtual: true, IsFinal: false } ? "virtual " : "";
        return AccessOf(method) + kind;
    }
}

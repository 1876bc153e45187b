using Microsoft.CodeAnalysis;

namespace Cluster.Analyzers.Travel;

/// <summary>Decides which types have no value that Slim carries. Where a place may also hold objects of derived types
/// that Slim carries, as with interfaces, the answer is no. Stateless.</summary>
internal static class TypeRefusals
{
    public const string CodecOption = "AddCodec";
    public const string MethodsOption = "AllowMethodsOf";
    public const string CallbacksOption = "AllowCallbacks";

    private const string Address = "an address has no meaning outside its process";
    private const string NonSerialized = "System.NonSerializedAttribute";

    private static readonly HashSet<string> FrameworkKeyTokens =
        ["b03f5f7f11d50a3a", "b77a5c561934e089", "cc7b13ffcd2ddd51", "7cec85d7bea7798e", "adb9793829ddae60"];

    private static readonly HashSet<string> Callbacks =
    [
        "System.Runtime.Serialization.OnSerializingAttribute", "System.Runtime.Serialization.OnSerializedAttribute",
        "System.Runtime.Serialization.OnDeserializingAttribute", "System.Runtime.Serialization.OnDeserializedAttribute",
    ];

    private static readonly Refusal NoCodec = new("there is no codec for this framework type", CodecOption);

    /// <summary>Finds why Slim refuses all values of a type.</summary>
    public static Refusal? Find(ITypeSymbol type)
    {
        if (IsAddress(type) || type is IArrayTypeSymbol { ElementType: var element } && IsPointer(element))
            return new Refusal(Address);
        if (type is IArrayTypeSymbol or ITypeParameterSymbol or IDynamicTypeSymbol || type.TypeKind == TypeKind.Error)
            return null;
        if (type.TypeKind == TypeKind.Delegate || type.SpecialType is SpecialType.System_Delegate
            or SpecialType.System_MulticastDelegate)
        {
            return new Refusal(
                "a delegate carries code, not data; for static methods add: .AllowMethodsOf(typeof(TheirClass))",
                MethodsOption);
        }

        foreach (var level in SymbolNames.WithBases(type))
        {
            if (FrameworkTable.Denied.TryGetValue(SymbolNames.Of(level), out var reason))
                return new Refusal(reason);
        }

        if (SymbolNames.LevelsOf(type).Any(static level => FrameworkTable.Gadgets.Contains(SymbolNames.Of(level))))
            return new Refusal("its content makes code run; it is known from attacks on serializers");
        return IsFramework(type) ? FindOfFramework(type) : FindOfUser(type);
    }

    /// <summary>Whether an assembly of the framework declares the type.</summary>
    public static bool IsFramework(ITypeSymbol type)
    {
        if (type.ContainingAssembly?.Identity is not { } identity)
            return false;
        return (identity.Name.StartsWith("System", StringComparison.Ordinal)
                || identity.Name.StartsWith("Microsoft.", StringComparison.Ordinal)
                || identity.Name is "mscorlib" or "netstandard" or "WindowsBase")
            && FrameworkKeyTokens.Contains(TokenOf(identity));
    }

    private static string TokenOf(AssemblyIdentity identity) => string.Concat(
        identity.PublicKeyToken.Select(static one => one.ToString("x2", CultureInfo.InvariantCulture)));

    /// <summary>The fields that Slim writes: those of the user's classes in the chain that are not static and not
    /// marked.</summary>
    public static IEnumerable<IFieldSymbol> FieldsOf(ITypeSymbol type) =>
        SymbolNames.LevelsOf(type).TakeWhile(static level => !IsFramework(level))
            .SelectMany(static level => level.GetMembers().OfType<IFieldSymbol>())
            .Where(static field => !field.IsStatic && !field.IsConst && !IsLeftOut(field));

    /// <summary>Whether the compiler made the field for a parameter of a primary constructor.</summary>
    public static bool IsOfParameter(IFieldSymbol field) =>
        field.IsImplicitlyDeclared && field.AssociatedSymbol is null;

    private static bool IsLeftOut(IFieldSymbol field) =>
        SymbolNames.HasAttribute(field, NonSerialized) || field.AssociatedSymbol is IEventSymbol;

    private static bool IsAddress(ITypeSymbol type) =>
        IsPointer(type) || type.IsRefLikeType
        || type.SpecialType is SpecialType.System_IntPtr or SpecialType.System_UIntPtr
        || SymbolNames.Is(type, "System.Runtime.InteropServices.GCHandle");

    private static bool IsPointer(ITypeSymbol type) => type.TypeKind is TypeKind.Pointer or TypeKind.FunctionPointer;

    // A place of an interface or an abstract class may hold objects of the user's own classes.
    private static Refusal? FindOfFramework(ITypeSymbol type)
    {
        var name = SymbolNames.Of(type);
        if (type.TypeKind is TypeKind.Interface or TypeKind.Enum || FrameworkTable.Carried.Contains(name)
            || type.IsAbstract || SymbolNames.LevelsOf(type).Any(IsCarriedBase))
            return null;
        if (FrameworkTable.Vectors.Contains(name))
        {
            return ((INamedTypeSymbol)type).TypeArguments[0] is ITypeParameterSymbol or
            {
                SpecialType:
                >= SpecialType.System_SByte and <= SpecialType.System_UInt64 or SpecialType.System_Single
                or SpecialType.System_Double
            }
                ? null
                : new Refusal("its elements are no numbers that have one size on every machine", CodecOption);
        }

        return FrameworkTable.Reasons.TryGetValue(name, out var reason) ? new Refusal(reason, CodecOption) : NoCodec;
    }

    private static bool IsCarriedBase(ITypeSymbol type) => FrameworkTable.CarriedBases.Contains(SymbolNames.Of(type));

    private static Refusal? FindOfUser(ITypeSymbol type)
    {
        if (type.TypeKind is not (TypeKind.Class or TypeKind.Struct))
            return null;
        if (FieldsOf(type).FirstOrDefault(static field => IsPointer(field.Type)) is { } pointer)
        {
            return new Refusal(
                $"its field {pointer.Name} is a pointer, and {Address}; mark it [NonSerialized]", CodecOption);
        }

        if (IsSerializable(type))
        {
            return new Refusal(
                $"it implements ISerializable, and its code may not run; add: .AllowCallbacks<{type.Name}>()",
                CallbacksOption);
        }

        return HasCallbacks(type)
            ? new Refusal(
                $"it has serialization callbacks, and its code may not run; add: .AllowCallbacks<{type.Name}>()",
                CallbacksOption)
            : null;
    }

    // A class that is not sealed may have a derived class that is allowed, but its own objects are refused.
    private static bool IsSerializable(ITypeSymbol type) =>
        IsConcrete(type)
        && type.AllInterfaces.Any(static one => SymbolNames.Is(one, "System.Runtime.Serialization.ISerializable"))
        && SymbolNames.LevelsOf(type).First(IsFramework).SpecialType
            is SpecialType.System_Object or SpecialType.System_ValueType;

    private static bool HasCallbacks(ITypeSymbol type) =>
        IsConcrete(type)
        && SymbolNames.LevelsOf(type).TakeWhile(static level => !IsFramework(level))
            .SelectMany(static level => level.GetMembers().OfType<IMethodSymbol>())
            .Any(static method => method.GetAttributes().Any(
                static mark => mark.AttributeClass is { } kind && Callbacks.Contains(SymbolNames.Of(kind))));

    private static bool IsConcrete(ITypeSymbol type) => !type.IsAbstract;
}

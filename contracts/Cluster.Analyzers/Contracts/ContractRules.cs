using Microsoft.CodeAnalysis;

namespace Cluster.Analyzers.Contracts;

/// <summary>The rules of Glue for contracts (<c>ContractRules</c> of Cluster.Glue), on symbols. A test compares both.
/// Stateless.</summary>
internal static class ContractRules
{
    public const string OneWay = "Cluster.Contracts.OneWayAttribute";

    private const int TypeParameterCountMax = 16;

    /// <summary>Finds what Glue refuses about a contract.</summary>
    public static IEnumerable<ContractProblem> ProblemsOf(INamedTypeSymbol contract)
    {
        if (ProblemOfType(contract) is { } reason)
            return [new ContractProblem(contract, null, reason)];
        return InterfacesOf(contract).SelectMany(static declaring => ProblemsOfMembers(declaring));
    }

    /// <summary>The methods that a caller can call, inherited ones included.</summary>
    public static IEnumerable<IMethodSymbol> MethodsOf(INamedTypeSymbol contract) =>
        InterfacesOf(contract).SelectMany(static declaring => declaring.GetMembers().OfType<IMethodSymbol>())
            .Where(IsRemote);

    /// <summary>Whether calls of the method leave the process: it is public and not static, and has no fixed
    /// body.</summary>
    public static bool IsRemote(IMethodSymbol method) =>
        method is { IsStatic: false, DeclaredAccessibility: Accessibility.Public }
        && method.ContainingType is { TypeKind: TypeKind.Interface }
        && (method.IsAbstract || method.IsVirtual);

    private static IEnumerable<INamedTypeSymbol> InterfacesOf(INamedTypeSymbol contract) =>
        contract.AllInterfaces.Insert(0, contract).Where(static one => !IsLocal(one));

    private static bool IsLocal(INamedTypeSymbol declaring) =>
        SymbolNames.Is(declaring, "System.IDisposable") || SymbolNames.Is(declaring, "System.IAsyncDisposable");

    private static string? ProblemOfType(INamedTypeSymbol contract)
    {
        if (contract.TypeKind != TypeKind.Interface)
            return "is not an interface";
        for (var nesting = contract; nesting.ContainingType is not null; nesting = nesting.ContainingType)
        {
            if (nesting.DeclaredAccessibility is Accessibility.Private or Accessibility.Protected)
                return "is private or protected inside its outer type; make it internal or public";
        }

        return null;
    }

    private static IEnumerable<ContractProblem> ProblemsOfMembers(INamedTypeSymbol declaring)
    {
        foreach (var member in declaring.GetMembers())
        {
            var reason = member switch
            {
                IPropertySymbol property => ProblemOf(property),
                IEventSymbol => $"has the event '{member.Name}'; pass an interface that the server calls back",
                IMethodSymbol method => ProblemOf(method),
                _ => null,
            };
            if (reason is not null)
                yield return new ContractProblem(declaring, member, reason);
        }
    }

    private static string? ProblemOf(IPropertySymbol property)
    {
        if (property.IsIndexer)
            return $"has the indexer '{property.MetadataName}'; use a method with the index as parameter";
        return property.SetMethod?.IsInitOnly == true
            ? $"has the property '{property.Name}' with an init accessor; use set or a method"
            : null;
    }

    private static string? ProblemOf(IMethodSymbol method)
    {
        if (method.IsStatic)
        {
            return method.IsAbstract
                ? $"has the static abstract member '{method.MetadataName}'; make it an instance method"
                : null;
        }

        if (method.IsAbstract && method.DeclaredAccessibility is not (Accessibility.Public or Accessibility.Private))
            return $"has the member '{method.MetadataName}', which is not public; make it public";
        var isOfEvent = method.MethodKind is MethodKind.EventAdd or MethodKind.EventRemove;
        return IsRemote(method) && !isOfEvent ? ProblemOfCall(method) : null;
    }

    private static string? ProblemOfCall(IMethodSymbol method)
    {
        var subject = $"method '{method.MetadataName}'";
        if (method.TypeParameters.Length > TypeParameterCountMax)
            return $"{subject} has more than {TypeParameterCountMax} type parameters";
        if (method.TypeParameters.FirstOrDefault(static one => one.AllowsRefLikeType) is { } open)
            return $"{subject}: {open.Name} allows ref structs";
        if (ReasonFor(method.ReturnType, method.RefKind) is { } ofResult)
            return $"{subject}: result of type {ofResult}";
        var tokenCount = 0;
        foreach (var parameter in method.Parameters)
        {
            if (ReasonFor(parameter.Type, parameter.RefKind) is { } reason)
                return $"{subject}: parameter '{parameter.Name}' of type {reason}";
            if (SymbolNames.IsToken(parameter.Type) && ++tokenCount > 1)
                return $"{subject} has more than one CancellationToken";
        }

        return HasResult(method) && SymbolNames.HasAttribute(method, OneWay)
            ? $"{subject} is [OneWay] and has a result; return void or a Task"
            : null;
    }

    private static bool HasResult(IMethodSymbol method) =>
        !method.ReturnsVoid && !(SymbolNames.IsTask(method.ReturnType, out var result) && result is null);

    /// <summary>The type and why it does not travel; null when it may.</summary>
    private static string? ReasonFor(ITypeSymbol type, RefKind kind)
    {
        var name = SymbolNames.Show(type);
        if (kind != RefKind.None)
            return $"{name} is passed by reference (ref, out or in); pass by value and return a result";
        if (type.TypeKind is TypeKind.Pointer or TypeKind.FunctionPointer)
            return $"{name} is a pointer; use a value or an array";
        if (type.IsRefLikeType)
            return $"{name} is a by-ref-like struct such as Span; use an array or Memory";
        if (IsOrInherits(type, "System.Delegate"))
            return $"{name} is a delegate; code does not travel, pass an interface that the server calls back";
        if (IsOrInherits(type, "System.IO.Stream"))
            return $"{name} is a stream of this process; use byte[], or IAsyncEnumerable<byte[]> for what is large";
        return SymbolNames.IsTask(type, out var result) && result is not null ? ReasonFor(result, RefKind.None) : null;
    }

    private static bool IsOrInherits(ITypeSymbol type, string name) =>
        SymbolNames.WithBases(type).Any(level => SymbolNames.Is(level, name));
}

using Cluster.Glue.Wire;

namespace Cluster.Glue.Signatures;

/// <summary>The rules for contracts. Each refusal names the contract, the member and the remedy. Pure.</summary>
internal static class ContractRules
{
    private const BindingFlags Declared =
        BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic
        | BindingFlags.DeclaredOnly;

    public static void CheckType(Type type)
    {
        if (!type.IsInterface)
            throw Refuse(type, "is not an interface");
        if (type.ContainsGenericParameters)
            throw Refuse(type, "is an open generic type; close it first");
        for (var nesting = type; nesting is not null; nesting = nesting.DeclaringType)
        {
            if (nesting.IsNestedPrivate || nesting.IsNestedFamily)
                throw Refuse(type, "is private or protected inside its outer type; make it internal or public");
        }
    }

    /// <summary>Whether an inherited interface stays local: each side disposes of the objects that it has created, and
    /// of no others.</summary>
    public static bool IsLocal(Type declaring) =>
        declaring == typeof(IDisposable) || declaring == typeof(IAsyncDisposable);

    /// <summary>The methods that one interface declares itself. Accessors of properties and methods with a default body
    /// belong to them; static methods, private methods and other non-public methods with a body do not.</summary>
    public static IEnumerable<MethodInfo> RemoteMethodsOf(Type declaring) =>
        declaring.GetMethods(Declared).Where(IsRemote);

    /// <summary>Checks a method, or a generic one that was closed over type arguments.</summary>
    public static void CheckMethod(Type declaring, MethodInfo method)
    {
        var typeParameters = method.IsGenericMethodDefinition ? method.GetGenericArguments() : [];
        const int CountMax = TypeArgumentNames.CountMax;
        if (typeParameters.Length > CountMax)
            throw Refuse(declaring, $"method '{method.Name}' has more than {CountMax} type parameters");
        foreach (var parameter in typeParameters)
        {
            if ((parameter.GenericParameterAttributes & GenericParameterAttributes.AllowByRefLike) != 0)
                throw Refuse(declaring, $"method '{method.Name}': {parameter.Name} allows ref structs");
        }

        CheckTravels(declaring, method, "result", method.ReturnType);
        var tokenCount = 0;
        foreach (var parameter in method.GetParameters())
        {
            CheckTravels(declaring, method, $"parameter '{parameter.Name}'", parameter.ParameterType);
            if (parameter.ParameterType == typeof(CancellationToken) && ++tokenCount > 1)
                throw Refuse(declaring, $"method '{method.Name}' has more than one CancellationToken");
        }

        var hasResult = method.ReturnType != typeof(void)
            && method.ReturnType != typeof(Task)
            && method.ReturnType != typeof(ValueTask);
        if (hasResult && method.IsDefined(typeof(OneWayAttribute), inherit: false))
            throw Refuse(declaring, $"method '{method.Name}' is [OneWay] and has a result; return void or a Task");
    }

    /// <summary>Checks that a contract has the methods that an instance mode needs, and none that it ignores.</summary>
    public static void CheckMode(ContractDescription contract, GlueInstanceMode mode)
    {
        var constructor = contract.Methods.FirstOrDefault(method => method.IsConstructor);
        if (mode == GlueInstanceMode.Stateful && constructor is null)
            throw Refuse(contract.Type, "is registered as Stateful and has no [Constructor] method; add one");
        if (mode != GlueInstanceMode.Stateful && constructor is not null)
            throw Refuse(contract.Type, $"has the [Constructor] method '{constructor.Method.Name}'; make it Stateful");
        var hasInstances = mode is GlueInstanceMode.Stateful or GlueInstanceMode.AutoConstructed;
        if (!hasInstances && contract.Methods.FirstOrDefault(method => method.IsDestructor) is { } destructor)
            throw Refuse(contract.Type, $"has the [Destructor] method '{destructor.Method.Name}'; make it Stateful");
        if (constructor is not null && constructor.ResultType != typeof(GlueInstance))
            throw Refuse(contract.Type, $"[Constructor] method '{constructor.Method.Name}' must return a GlueInstance");
    }

    private static void CheckProperty(Type declaring, PropertyInfo property)
    {
        if (property.GetIndexParameters().Length > 0)
            throw Refuse(declaring, $"has the indexer '{property.Name}'; use a method with the index as parameter");
        var isInit = property.SetMethod?.ReturnParameter.GetRequiredCustomModifiers()
            .Contains(typeof(System.Runtime.CompilerServices.IsExternalInit)) == true;
        if (isInit)
            throw Refuse(declaring, $"has the property '{property.Name}' with an init accessor; use set or a method");
    }

    private static void CheckTravels(Type declaring, MethodInfo method, string what, Type type)
    {
        string? reason = null;
        if (type.IsByRef)
            reason = "is passed by reference (ref, out or in); pass by value and return a result";
        else if (type.IsPointer || type.IsFunctionPointer)
            reason = "is a pointer; use a value or an array";
        else if (type.IsByRefLike)
            reason = "is a by-ref-like struct such as Span; use an array or Memory";
        else if (typeof(Delegate).IsAssignableFrom(type))
            reason = "is a delegate; code does not travel, pass an interface that the server calls back";
        else if (typeof(Stream).IsAssignableFrom(type))
            reason = "is a stream of this process; use byte[], or IAsyncEnumerable<byte[]> for what is large";
        if (reason is not null)
            throw Refuse(declaring, $"method '{method.Name}': {what} of type {TypeText.Of(type)} {reason}");
        if (type.IsConstructedGenericType && IsTask(type.GetGenericTypeDefinition()))
            CheckTravels(declaring, method, what, type.GetGenericArguments()[0]);
    }

    private static bool IsTask(Type definition) => definition == typeof(Task<>) || definition == typeof(ValueTask<>);

    /// <summary>Finds every problem of the methods of some interfaces, one sentence each; a problem of one member does
    /// not hide those of the next.</summary>
    public static List<string> ProblemsOf(IEnumerable<Type> interfaces)
    {
        var problems = new List<string>();
        foreach (var declaring in interfaces)
        {
            foreach (var check in ChecksOf(declaring))
            {
                try
                {
                    check();
                }
                catch (NotSupportedException refusal)
                {
                    problems.Add(refusal.Message);
                }
            }
        }

        return problems;
    }

    private static IEnumerable<Action> ChecksOf(Type declaring)
    {
        foreach (var property in declaring.GetProperties(Declared))
            yield return () => CheckProperty(declaring, property);
        foreach (var occurrence in declaring.GetEvents(Declared))
        {
            yield return () => throw Refuse(
                declaring, $"has the event '{occurrence.Name}'; pass an interface that the server calls back");
        }

        foreach (var method in declaring.GetMethods(Declared))
        {
            if (method.IsStatic && method.IsAbstract)
            {
                yield return () => throw Refuse(
                    declaring, $"has the static abstract member '{method.Name}'; make it an instance method");
            }
            else if (!method.IsStatic && method.IsVirtual && method.IsAbstract && !method.IsPublic && !method.IsPrivate)
            {
                yield return () => throw Refuse(
                    declaring, $"has the member '{method.Name}', which is not public; make it public");
            }
            else if (IsRemote(method) && !IsOfEvent(method))
            {
                yield return () => CheckMethod(declaring, method);
            }
        }
    }

    private static bool IsOfEvent(MethodInfo method) =>
        method.IsSpecialName && (method.Name.StartsWith("add_", StringComparison.Ordinal)
            || method.Name.StartsWith("remove_", StringComparison.Ordinal));

    private static bool IsRemote(MethodInfo method) => method is { IsStatic: false, IsVirtual: true, IsPublic: true };

    private static NotSupportedException Refuse(Type type, string reason) =>
        new($"Contract {TypeText.Of(type)} cannot be called remotely: it {reason}.");
}

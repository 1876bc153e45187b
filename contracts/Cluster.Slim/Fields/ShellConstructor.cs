using Cluster.Slim.Errors;

namespace Cluster.Slim.Fields;

/// <summary>Creates objects of framework classes in two steps, because their constructors need their content: first an
/// empty instance, which has the identity, then the constructor on that instance. Immutable.</summary>
internal sealed class ShellConstructor(ConstructorInfo constructor)
{
    public static object NewShell(Type type) => RuntimeHelpers.GetUninitializedObject(type);

    public static ShellConstructor? Find(Type type, params Type[] parameters)
    {
        var found = type.GetConstructor(
            BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic, parameters);
        return found is { IsPublic: true } or { IsFamily: true } ? new ShellConstructor(found) : null;
    }

    public void Run(object shell, params object?[] arguments)
    {
        try
        {
            constructor.Invoke(shell, BindingFlags.DoNotWrapExceptions, null, arguments, null);
        }
        catch (ArgumentException e)
        {
            throw Throw.Failed($"The content of a {constructor.DeclaringType} is refused by it.", e);
        }
    }
}

namespace Cluster.Slim;

/// <summary>The type is not on the closed list of the root type; the message names the line of code that adds
/// it.</summary>
public sealed class SlimTypeNotAllowedException : SlimException
{
    internal SlimTypeNotAllowedException(string message)
        : base(message)
    {
    }

    /// <summary>The name of the type concerned.</summary>
    public string TypeName { get; internal init; } = "";

    /// <summary>The call on the options that adds the type, as in <c>Allow&lt;Shop.Order&gt;()</c>, for libraries whose
    /// users set types up elsewhere than in options of their own. Empty where this program has no such type.</summary>
    public string AllowCall { get; internal init; } = "";
}

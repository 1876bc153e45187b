namespace Cluster.Slim;

/// <summary>How a message names the types of its objects. Readers accept both.</summary>
public enum SlimSchema
{
    /// <summary>A type goes with its name and its fields at first use.</summary>
    Full,

    /// <summary>A type goes as the 64-bit fingerprint of its name and layout at first use.</summary>
    Known,
}

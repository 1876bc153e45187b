using Cluster.StateStore.Hosting.States;

namespace Cluster.StateStore.Tests.Hosting.Layouts;

/// <summary>One state as three versions of a service register it. Each registration stands for one process, so no two
/// share what they know of layouts. All versions write the name of the first one. Stateless.</summary>
internal static class ProfileVersions
{
    public const string Name = "profiles";

    private static readonly string FirstName = NameOf(typeof(FirstProfile));

    /// <summary>The first version.</summary>
    public static StateDefinition<string, FirstProfile> First() => StateDefinition.Create<string, FirstProfile>(Name);

    /// <summary>The second version: a field is new, one is gone, one is larger, their order and the name of the type
    /// are others, and a class for the contact is new.</summary>
    public static StateDefinition<string, SecondProfile> Second() => StateDefinition.Create<string, SecondProfile>(
        Name,
        s => s.AllowOperation<AddPoints>().ConfigureTypes(types =>
        {
            types.WriteOldNames = true;
            types.Alias(FirstName, typeof(SecondProfile)).Allow<MailContact>();
        }));

    /// <summary>A version whose points are a text.</summary>
    public static StateDefinition<string, OtherProfile> Other() => StateDefinition.Create<string, OtherProfile>(
        Name,
        s => s.ConfigureTypes(types =>
        {
            types.WriteOldNames = true;
            types.Alias(FirstName, typeof(OtherProfile));
        }));

    private static string NameOf(Type type) => $"{type.FullName}, {type.Assembly.GetName().Name}";
}

/// <summary>The value of the first version.</summary>
internal sealed class FirstProfile
{
    public string Owner { get; set; } = "";

    public int Points { get; set; }

    public string? Note { get; set; }

    public object? Contact { get; set; }
}

/// <summary>The value of the second version.</summary>
internal sealed class SecondProfile
{
    public string? City { get; set; }

    public long Points { get; set; }

    public string Owner { get; set; } = "";

    public object? Contact { get; set; }
}

/// <summary>The value of a version that cannot read the others.</summary>
internal sealed class OtherProfile
{
    public string Owner { get; set; } = "";

    public string Points { get; set; } = "";
}

/// <summary>A contact that only the second version has.</summary>
internal sealed class MailContact
{
    public string Text { get; set; } = "";

    public bool IsChecked { get; set; }
}

/// <summary>Adds to the points of a profile.</summary>
internal sealed class AddPoints(long points) : IStateOperation<SecondProfile, SecondProfile>
{
    private readonly long _points = points;

    public SecondProfile Apply(ref SecondProfile? state, in OperationContext context)
    {
        state ??= new SecondProfile();
        state.Points += _points;
        return state;
    }
}

using System.ComponentModel;
using System.Data;
using System.Runtime.Intrinsics;
using System.Text.Json;
using System.Xml.Linq;

namespace Cluster.Slim.Types.Policy;

/// <summary>The reasons why framework types without a codec have none, where there is a special reason.</summary>
internal static class FrameworkRefusals
{
    private const string Code = "code is not data.";
    private const string Vanishing = "what it refers to may vanish while it is written; carry the object itself.";
    private const string OfOneThread = "its value belongs to one thread or flow of calls; carry the value.";
    private const string InProgress = "it is work in progress; await it and carry its result.";

    private const string Secret = "a secret does not travel unseen; carry its parts, if they must travel.";
    private const string OfCulture = "it follows from a culture or from a text; carry the CultureInfo or the text.";
    private const string OfNumbers = "its elements are no numbers that have one size on every machine.";

    private static readonly Dictionary<Type, string> Reasons = new()
    {
        [typeof(WeakReference<>)] = Vanishing,
        [typeof(ConditionalWeakTable<,>)] = Vanishing,
        [typeof(BlockingCollection<>)] = "threads wait for each other in it; carry its items: ToArray().",
        [typeof(ThreadLocal<>)] = OfOneThread,
        [typeof(AsyncLocal<>)] = OfOneThread,
        [typeof(ValueTask)] = InProgress,
        [typeof(ValueTask<>)] = InProgress,
        [typeof(TaskCompletionSource)] = InProgress,
        [typeof(TaskCompletionSource<>)] = InProgress,
        [typeof(CookieContainer)] = "it belongs to one client; carry its cookies: GetAllCookies().",
        [typeof(NetworkCredential)] = Secret,
        [typeof(CredentialCache)] = Secret,
        [typeof(SocketAddress)] = "its bytes mean something to one operating system; carry an EndPoint.",
        [typeof(IPHostEntry)] = "it is what one machine was told of a name; carry its addresses.",
        [typeof(WebHeaderCollection)] = "it belongs to a request; carry its names and values.",
        [typeof(XDocumentType)] = "a document type may define entities; carry the XElement.",
        [typeof(XStreamingElement)] = "it is a query; carry an XElement.",
        [typeof(XObjectChangeEventArgs)] = "it tells of something that happened in this process.",
        [typeof(Vector<>)] = OfNumbers,
        [typeof(Vector64<>)] = OfNumbers,
        [typeof(Vector128<>)] = OfNumbers,
        [typeof(Vector256<>)] = OfNumbers,
        [typeof(Vector512<>)] = OfNumbers,
        [typeof(Lazy<,>)] = "what it was told beside its value belongs to this process; carry the value.",
        [typeof(Random)] = "its state cannot be seen; carry the seed.",
        [typeof(UriBuilder)] = "it is an address in the making; carry its Uri.",
        [typeof(ConsoleKeyInfo)] = "it tells of something that happened in this process.",
        [typeof(JsonProperty)] = "it lies in a document; carry its name and its value.",
        [typeof(JsonEncodedText)] = "it is a text made ready for a writer; carry the text.",
        [typeof(PropertyCollection)] = "it belongs to a DataSet; carry a Hashtable.",
        [typeof(TotalOrderIeee754Comparer<>)] = "it is code without data; make one where it is used.",
    };

    private static readonly (Type Base, string Reason)[] Families =
    [
        (typeof(EventArgs), "it tells of something that happened in this process."),
        (typeof(TypeConverter), "it is code without data; make one where it is used."),
        (typeof(IComparer), "it is code without data; make one where it is used."),
        (typeof(IEqualityComparer), "it is code without data; make one where it is used."),
        (typeof(UriParser), "it is code without data; carry the Uri."),
        (typeof(HttpContent), "it is a body on its way; carry its bytes or its text."),
        (typeof(XNode), "it lies in an element; carry the XElement."),
        (typeof(Calendar), OfCulture),
    ];

    public static string ReasonFor(Type type)
    {
        var definition = type.IsGenericType ? type.GetGenericTypeDefinition() : type;
        if (Reasons.TryGetValue(definition, out var reason))
            return reason;
        if (typeof(MemberInfo).IsAssignableFrom(type) || typeof(ParameterInfo).IsAssignableFrom(type))
            return Code;
        foreach ((var family, var common) in Families)
        {
            if (family.IsAssignableFrom(type))
                return common;
        }

        if (type.IsNested && type.Namespace?.StartsWith("System.Collections", StringComparison.Ordinal) == true)
        {
            return type.Name == "Builder"
                ? "it is a collection in the making; carry what it makes: ToImmutable()."
                : "it shows a part of a collection; carry the collection.";
        }

        return OfNamespace(type.Namespace);
    }

    private static string OfNamespace(string? name) => name switch
    {
        "System" => "it describes this process or its machine, or helps to make a value; carry the value.",
        "System.Collections" or "System.Collections.Specialized" or "System.Collections.Generic" =>
            "it is a part or a helper of a collection; carry the collection.",
        "System.Globalization" => OfCulture,
        "System.Linq" => "it is a query or a group of one; carry its items: ToList() or ToDictionary().",
        "System.Linq.Expressions" or "System.Reflection.Emit" => Code,
        "System.Net" or "System.Net.Http" => "it belongs to a connection or a request of this process.",
        "System.Text" => "it is a setting or a state of coding text; carry the text or the Encoding.",
        "System.Text.Json" or "System.Text.Json.Nodes" =>
            "it is a setting or a helper of a reader or writer; carry the JsonElement or the text.",
        "System.Threading" => "it coordinates the threads of one process.",
        "System.Xml.Linq" => "it is a helper of documents; carry the XElement.",
        _ => "there is no codec for this framework type.",
    };
}

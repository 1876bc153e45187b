namespace Shop.Orders;

/// <summary>A company that orders, represented by a person. Not thread-safe.</summary>
public sealed class CompanyCustomer : Customer
{
    /// <summary>States a company.</summary>
    /// <param name="name">The company's name.</param>
    /// <param name="taxNumber">For the invoice.</param>
    /// <param name="contact">Who speaks for it.</param>
    public CompanyCustomer(string name, string taxNumber, PrivateCustomer contact)
        : base(name)
    {
        TaxNumber = taxNumber;
        Contact = contact;
    }

    /// <summary>For the invoice.</summary>
    public string TaxNumber { get; }

    /// <summary>Who speaks for it.</summary>
    public PrivateCustomer Contact { get; }
}
